/** The published contract, generated from the operations and routes at development time. */
import { deepFreeze } from '@agentkeep/core/operator';
import document from '../../openapi.json' with { type: 'json' };
import type { OpenApiDocument } from './openapi-document.js';

/** The contract as an OpenAPI 3.1 document. */
export const contractDocument: OpenApiDocument = deepFreeze<OpenApiDocument>(document);
