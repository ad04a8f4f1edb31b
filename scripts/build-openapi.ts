/** Writes packages/server/openapi.json. Run it after changing an operation, a route or an error. */
import { writeFileSync } from 'node:fs';
import { openapiFile, openapiText } from './openapi-text.ts';

writeFileSync(openapiFile, await openapiText());
