/**
 * Writes the contract that the server publishes, after an operation, a route or an error changed.
 *
 * @module
 */
import { writeFileSync } from 'node:fs';
import { openapiFile, openapiText } from './openapi-text.ts';

writeFileSync(openapiFile, await openapiText());
