/** `loginTenant`: exchanges a password for a session of an account of a tenant. */
import { examplePassword, exampleVersion } from '../../../contract/example-values.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { SECRET_DOCUMENT_BYTES_MAX } from '../../../contract/limits.js';
import { definePublicOperation } from '../../../kernel/operation/define-operation.js';
import { inputFirstChecks } from '../../../kernel/operation/orders-of-checks.js';
import { loginErrors } from './login-errors.js';
import { openOpaqueSession } from './open-opaque-session.js';
import { LoginRequest, LoginResponse } from './schema.js';

/** An unknown tenant is refused like an unknown name. */
export const loginTenant = definePublicOperation({
  name: 'loginTenant',
  summary: 'Log in to a tenant with a password.',
  example: {
    document: { ...exampleVersion, tenant_id: 'acme', username: 'ann', password: examplePassword },
  },
  tag: 'Login accounts',
  ignoresProof: true,
  input: { document: LoginRequest },
  document: { bytesMax: SECRET_DOCUMENT_BYTES_MAX },
  output: LoginResponse,
  checks: inputFirstChecks,
  errors: loginErrors,
  handler: (request) => {
    const { tenant_id: authority, username, password } = request.input.document;
    if (authority === undefined) {
      throw new AgentkeepError('invalid_request', {
        members: [{ path: 'tenant_id', expected: 'a value, since this member is required' }],
      });
    }
    return openOpaqueSession(request, { authority, username, password });
  },
});
