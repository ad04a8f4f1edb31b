/** `loginGlobal`: exchanges a password for a session of an account of the installation. */
import { examplePassword, exampleVersion } from '../../../contract/example-values.js';
import { SECRET_DOCUMENT_BYTES_MAX } from '../../../contract/limits.js';
import { definePublicOperation } from '../../../kernel/operation/define-operation.js';
import { inputFirstChecks } from '../../../kernel/operation/orders-of-checks.js';
import { INSTALLATION } from '../../../storage/store/key.js';
import { loginErrors } from './login-errors.js';
import { openOpaqueSession } from './open-opaque-session.js';
import { GlobalLoginRequest, LoginResponse } from './schema.js';

/** Takes no tenant. */
export const loginGlobal = definePublicOperation({
  name: 'loginGlobal',
  summary: 'Log in to the installation with a password.',
  example: { document: { ...exampleVersion, username: 'root', password: examplePassword } },
  tag: 'Login accounts',
  ignoresProof: true,
  input: { document: GlobalLoginRequest },
  document: { bytesMax: SECRET_DOCUMENT_BYTES_MAX },
  output: LoginResponse,
  checks: inputFirstChecks,
  errors: loginErrors,
  handler: (request) => {
    const { username, password } = request.input.document;
    return openOpaqueSession(request, { authority: INSTALLATION, username, password });
  },
});
