/**
 * What every change of a login account shares: the caller is proved unchanged in the same commit,
 * the account is found in the caller's authority, and its rules are applied.
 *
 * @module
 */
import { findAccount } from '../account/account-store.js';
import type { StoredAccount } from '../account/stored-account.js';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import type { InputSchemas, OperationRequest } from '../../runtime/operation.js';
import type { ReadTx } from '../../storage/store/store.js';
import { decideChange } from './login-account-policy.js';

/**
 * The account that the caller may change at this revision.
 *
 * @throws {AgentkeepError} `forbidden`, `revision_conflict`
 */
export function changeableAccount(
  tx: ReadTx,
  request: OperationRequest<InputSchemas>,
  id: string,
  expectedRevision: number,
): StoredAccount {
  const account = findAccount(tx, request.authority, id);
  const decision = decideChange(request.principal, account, expectedRevision);
  if (decision.type === 'stale') throw new AgentkeepError('revision_conflict');
  if (decision.type === 'forbidden') throw new AgentkeepError('forbidden');
  return decision.account;
}

/**
 * The account as it is in the transaction that changes it.
 *
 * @throws {AgentkeepError} `revision_conflict` when it is not the one that was seen before.
 */
export function unchangedAccount(tx: ReadTx, seen: StoredAccount): StoredAccount {
  const current = findAccount(tx, seen.authority, seen.id);
  if (current?.revision === seen.revision) return current;
  throw new AgentkeepError('revision_conflict');
}
