/**
 * The proofs of identity that the contract knows.
 * @module
 */
import type { OpenApiDocument } from '../openapi-document.js';

/** Either one is accepted by every operation that needs a proof. */
export const security: OpenApiDocument['security'] = [
  { platformCredential: [] },
  { loginSession: [] },
];

/** How each proof is carried. */
export const securitySchemes: OpenApiDocument['components']['securitySchemes'] = {
  platformCredential: {
    type: 'http',
    scheme: 'bearer',
    description: 'The secret of a credential of a tenant: `ak1_…`.',
  },
  loginSession: {
    type: 'http',
    scheme: 'bearer',
    description:
      'A session or an access token of an account. An API key of the account, sent as the scheme ' +
      '`apiKey` says, proves the same.',
  },
  globalCredential: {
    type: 'http',
    scheme: 'bearer',
    description: 'The secret of a credential of the installation: `akg1_…`. No tenant accepts it.',
  },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'An API key of an account: `ak_live_…`.',
  },
};
