/**
 * Chooses the authority that a call of the account surface acts in: the caller's own, or a tenant
 * that the call names (docs/contract/conventions.md#con-64).
 */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import type { ReadTx } from '../../storage/store/store.js';
import { hasTenant } from '../ports/known-callers.js';
import type { Runtime } from './runtime.js';
import { keyOfAuthority, type Principal } from '../access/principal.js';

/**
 * Returns the authority that a call acts in, as the tenant part of keys.
 *
 * @throws {AgentkeepError} `forbidden` when the caller may not act in the tenant that it names,
 * `tenant_not_found` when an administrator of the installation names one that does not exist.
 */
export function actingAuthority(
  tx: ReadTx,
  { authority, role }: Principal,
  asked: string | undefined,
  runtime: Pick<Runtime, 'ports'>,
): string {
  const own = keyOfAuthority(authority);
  if (asked === undefined) return own;
  if (authority.kind === 'tenant' && asked === own) return own;
  if (authority.kind === 'tenant' || role === null) throw new AgentkeepError('forbidden');
  if (!hasTenant.of(runtime)(tx, asked)) throw new AgentkeepError('tenant_not_found');
  return asked;
}
