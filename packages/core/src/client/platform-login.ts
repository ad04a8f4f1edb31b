/** Login to the platform: a short session with one opaque token. */
import { CONTRACT_VERSION } from '../contract/version.js';
import type { CallOperation, CallOptions, OutputOf } from './call.js';
import { checkedLogin, type LoginInput } from './session-client.js';

/** A session with its token, which is shown only once. It cannot be renewed. */
export type PlatformSession = OutputOf<'loginTenant'>['session'];

/** Logs in with the operation of the login's authority. */
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
