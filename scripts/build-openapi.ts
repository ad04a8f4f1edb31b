/**
 * Writes packages/server/openapi.json, and packages/mcp/tool-schemas.json from it. Run it after
 * changing an operation, a route or an error.
 */
import { writeFileSync } from 'node:fs';
import { openapiFile, openapiText } from './openapi/openapi-text.ts';
import { toolSchemasFile, toolSchemasText } from './tool-schemas.ts';

writeFileSync(openapiFile, await openapiText());
writeFileSync(toolSchemasFile, await toolSchemasText());
