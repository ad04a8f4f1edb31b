/**
 * The published contract. It is generated from the operations and their routes when they change,
 * never while the server runs.
 * @module
 */
import document from '../../openapi.json' with { type: 'json' };
import type { OpenApiDocument } from './openapi-document.js';

/** The contract as an OpenAPI 3.1 document. */
export const contractDocument: OpenApiDocument = document;

/** The contract as the JSON text that `GET /openapi.json` answers. */
export const contractText = JSON.stringify(contractDocument);
