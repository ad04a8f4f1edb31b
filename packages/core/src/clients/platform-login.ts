/** Logging in to the platform: a short session that one opaque token stands for. */
import { CONTRACT_VERSION } from '../contract/version.js';
import type { CallOperation, CallOptions, OutputOf } from './call.js';
import { checkedLogin, type LoginInput } from './session-client.js';

/** A session with its token, which is shown this once; it is never renewed. */
export type PlatformSession = OutputOf<'loginTenant'>['session'];

/** Logs in by the operation of the authority that the login is for. */
export async function platformLogin(
  call: CallOperation,
  login: LoginInput,
  options?: CallOptions,
): Promise<PlatformSession> {
  const { username, password, tenantId } = checkedLogin('openSession()', login);
  const person = { contract_version: CONTRACT_VERSION, username, password };
  const { session } =
    tenantId === undefined
      ? await call('loginGlobal', { document: person }, options)
      : await call('loginTenant', { document: { ...person, tenant_id: tenantId } }, options);
  return session;
}
