/** The security schemes of the contract. */
import type { Operation } from '../../packages/core/src/transport.ts';
import type {
  OpenApiDocument,
  SecurityRequirement,
} from '../../packages/server/src/openapi/openapi-document.ts';

/** The default security of an operation. */
export const security: OpenApiDocument['security'] = [
  { platformCredential: [] },
  { loginSession: [] },
];

const ofSession: SecurityRequirement[] = [{ loginSession: [] }];
const ofAccount: SecurityRequirement[] = [...ofSession, { apiKey: [] }];

/**
 * Returns the alternative proofs that an operation accepts. Where an account may call, its API key
 * is accepted like a session, except by operations that are for sessions only.
 */
export function securityOf(operation: Operation): SecurityRequirement[] {
  switch (operation.kind) {
    case 'public':
      return [];
    case 'tenant':
      return [{ platformCredential: [] }, ...ofAccount];
    case 'installation':
      return [{ globalCredential: [] }, ...ofAccount];
    case 'account': {
      const { party } = operation.requires;
      if (party === 'session' || party === 'login') return ofSession;
      if (party === 'account') return ofAccount;
      return [{ platformCredential: [] }, { globalCredential: [] }, ...ofAccount];
    }
  }
}

/** How each proof is sent. */
export const securitySchemes: OpenApiDocument['components']['securitySchemes'] = {
  platformCredential: {
    type: 'http',
    scheme: 'bearer',
    description: 'The secret of a credential of a tenant: `ak1_…`.',
  },
  loginSession: {
    type: 'http',
    scheme: 'bearer',
    description: 'A session or an access token of an account.',
  },
  globalCredential: {
    type: 'http',
    scheme: 'bearer',
    description:
      'The secret of a credential of the installation: `akg1_…`. Tenant operations refuse it.',
  },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'An API key of an account: `ak_live_…`.',
  },
};
