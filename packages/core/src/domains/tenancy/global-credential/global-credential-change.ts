/**
 * Common steps of every change of a credential of the installation: confirm the actor in the same
 * commit, and store state and event together.
 */
import type { EventSubject } from '../../../kernel/audit/call-events.js';
import { SECRET_BYTES, type Secret, verifierOf } from '../../../kernel/access/secret.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import type { InputSchemas } from '../../../kernel/input/input-rules.js';
import type { InstallationRequest } from '../../../kernel/operation/requests.js';
import type { Runtime } from '../../../kernel/services/runtime.js';
import type { WriteTx } from '../../../storage/store/store.js';
import { decideEnding } from './global-credential-policy.js';
import {
  findGlobalCredential,
  showGlobalCredential,
  type StoredGlobalCredential,
  updateGlobalCredential,
} from './global-credential-store.js';
import type { GlobalCredential, GlobalCredentialEvent } from './schema.js';

/** A new secret of a credential, and the digest to store. */
export interface FreshSecret {
  readonly secret: Secret;
  readonly verifier: string;
}

/** Creates a secret outside the transaction that stores its digest. */
export function newGlobalSecret({ entropy }: Runtime, id: string): FreshSecret {
  const secret: Secret = { kind: 'akg1', id, bytes: entropy.bytes(SECRET_BYTES) };
  return { secret, verifier: verifierOf(secret) };
}

/**
 * Returns the target of a rotation or revocation, after confirming the actor and its rights.
 *
 * @throws {AgentkeepError} `revision_conflict` or `forbidden`
 */
export function endingTarget(
  tx: WriteTx,
  request: InstallationRequest<InputSchemas>,
  id: string,
  expectedRevision: number,
): StoredGlobalCredential {
  const actor = request.confirm(tx);
  const target = findGlobalCredential(tx, id);
  const decision = decideEnding(actor, target, expectedRevision);
  if (decision.type === 'stale') throw new AgentkeepError('revision_conflict');
  if (decision.type === 'forbidden') request.deny('global_credential_admin');
  return decision.target;
}

/** Stores the next revision of a credential, and returns it as it is shown. */
export function storeGlobalChange(
  tx: WriteTx,
  request: InstallationRequest<InputSchemas>,
  target: StoredGlobalCredential,
  change: Partial<Pick<StoredGlobalCredential, 'verifier' | 'previous' | 'revokedAtMillis'>>,
  action: GlobalCredentialEvent['action'],
): GlobalCredential {
  const revision = target.revision + 1;
  const next = { ...target, ...change, revision };
  const event = { revision, action, actor_id: request.credential.id, at_millis: request.nowMs };
  updateGlobalCredential(tx, next, event);
  request.record(tx, globalCredentialChanged(target.id, action));
  return showGlobalCredential(tx, next);
}

/** Returns the audit event of a changed credential. */
export function globalCredentialChanged(
  id: string,
  change: GlobalCredentialEvent['action'],
): EventSubject {
  return {
    type: 'configuration_changed',
    action: 'configuration_changed',
    resource: `credential:${id}`,
    result: 'success',
    metadata: { change },
  };
}
