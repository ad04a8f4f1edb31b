/** The proofs of identity that the contract knows. */
import type { Operation } from '@agentkeep/core';
import type { OpenApiDocument, SecurityRequirement } from '../openapi-document.js';

/** What an operation accepts where it does not say otherwise. */
export const security: OpenApiDocument['security'] = [
  { platformCredential: [] },
  { loginSession: [] },
];

const ofAccount: SecurityRequirement[] = [{ loginSession: [] }];

/**
 * The proofs that an operation accepts: one of them is enough. Where an account may call, its API
 * key is as good as a session, which the description of the session's scheme says.
 */
export function securityOf(operation: Operation): SecurityRequirement[] {
  switch (operation.kind) {
    case 'public':
      return [];
    case 'tenant':
      return [...security];
    case 'installation':
      return [{ globalCredential: [] }, ...ofAccount];
    case 'account': {
      const { party } = operation.requires;
      return party === 'account' || party === 'session'
        ? ofAccount
        : [{ platformCredential: [] }, { globalCredential: [] }, ...ofAccount];
    }
  }
}

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
