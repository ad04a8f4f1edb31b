/**
 * Common steps of every change of a credential: confirm the actor in the same commit, find the
 * target in the actor's tenant, and store state and event together.
 */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import type { InputSchemas } from '../../../kernel/input/input-rules.js';
import type { TenantRequest } from '../../../kernel/operation/requests.js';
import type { WriteTx } from '../../../storage/store/store.js';
import type { ChangeDecision } from './credential-policy.js';
import {
  findCredential,
  showCredential,
  type StoredCredential,
  updateCredential,
} from './credential-store.js';
import { credentialChanged } from './credential-event.js';
import type { Credential, CredentialEvent } from './schema.js';

/**
 * Returns the target of a change, after confirming the actor and deciding the change.
 *
 * @throws {AgentkeepError} `revision_conflict` or `forbidden`
 */
export function changeTarget(
  tx: WriteTx,
  request: TenantRequest<InputSchemas>,
  id: string,
  decide: (target: StoredCredential | undefined) => ChangeDecision<StoredCredential>,
): StoredCredential {
  const { tenantId } = request.confirm(tx);
  const decision = decide(findCredential(tx, tenantId, id));
  if (decision.type === 'stale') throw new AgentkeepError('revision_conflict');
  if (decision.type === 'forbidden') throw new AgentkeepError('forbidden');
  return decision.target;
}

/** Stores the next revision of a credential, and returns it as it is shown. */
export function storeCredentialChange(
  tx: WriteTx,
  request: TenantRequest<InputSchemas>,
  target: StoredCredential,
  change: Partial<Pick<StoredCredential, 'spec' | 'verifier' | 'previous' | 'revokedAtMillis'>>,
  event: Pick<CredentialEvent, 'action' | 'scope_authority_change'>,
): Credential {
  const { credential: actor, nowMs } = request;
  const revision = target.revision + 1;
  const next = { ...target, ...change, revision };
  updateCredential(tx, next, { revision, actor_id: actor.id, at_millis: nowMs, ...event });
  request.record(tx, credentialChanged(target, event.action));
  return showCredential(tx, next);
}
