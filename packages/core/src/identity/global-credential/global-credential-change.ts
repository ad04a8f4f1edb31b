/**
 * What every change of a credential of the installation shares: the actor is proved unchanged in
 * the same commit, and state and event are stored together.
 */
import type { EventSubject } from '../../runtime/audit/call-events.js';
import { SECRET_BYTES, type Secret, verifierOf } from '../../access/secret.js';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import type { InputSchemas } from '../../runtime/input-rules.js';
import type { InstallationRequest } from '../../runtime/requests.js';
import type { Runtime } from '../../runtime/runtime.js';
import type { WriteTx } from '../../storage/store/store.js';
import { decideEnding } from './global-credential-policy.js';
import {
  findGlobalCredential,
  showGlobalCredential,
  type StoredGlobalCredential,
  updateGlobalCredential,
} from './global-credential-store.js';
import type { GlobalCredential, GlobalCredentialEvent } from './schema.js';

/** A fresh secret of a credential, and the digest that is kept of it. */
export interface NewSecret {
  readonly secret: Secret;
  readonly verifier: string;
}

/** Makes a secret outside of the transaction that stores its digest. */
export function newGlobalSecret({ entropy }: Runtime, id: string): NewSecret {
  const secret: Secret = { kind: 'akg1', id, bytes: entropy.bytes(SECRET_BYTES) };
  return { secret, verifier: verifierOf(secret) };
}

/**
 * The target of a rotation or revocation, once the actor is proved and may do it.
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

/** Stores the next revision of a credential and shows it. */
export function storeGlobalChange(
  tx: WriteTx,
  request: InstallationRequest<InputSchemas>,
  target: StoredGlobalCredential,
  change: Partial<Pick<StoredGlobalCredential, 'verifier' | 'revokedAtMillis'>>,
  action: GlobalCredentialEvent['action'],
): GlobalCredential {
  const revision = target.revision + 1;
  const next = { ...target, ...change, revision };
  const event = { revision, action, actor_id: request.credential.id, at_millis: request.nowMs };
  updateGlobalCredential(tx, next, event);
  request.record(tx, globalCredentialChanged(target.id, action));
  return showGlobalCredential(tx, next);
}

/** Returns the event of a changed credential. */
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
