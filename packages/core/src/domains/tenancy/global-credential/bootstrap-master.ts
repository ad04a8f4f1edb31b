/**
 * Local operator commands for the master of the installation: create it once, and recover it when
 * its secret is lost or it was revoked (docs/contract/installation.md#ins-52).
 */
import { globalCapabilities } from '../../../kernel/access/capability.js';
import { formatSecret } from '../../../kernel/access/secret.js';
import { operatorEvent } from '../../../kernel/installation/operator-events.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { refusal } from '../../../kernel/input/input.js';
import type { Runtime } from '../../../kernel/services/runtime.js';
import { isTextId, TEXT_RULE } from '../../../contract/schema/text.js';
import type { WriteTx } from '../../../storage/store/store.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import {
  globalCredentialChanged,
  newGlobalSecret,
  type FreshSecret,
} from './manage-global-credentials.js';
import {
  findGlobalCredential,
  insertGlobalCredential,
  masterId,
  showGlobalCredential,
  type StoredGlobalCredential,
  updateGlobalCredential,
} from './global-credential-store.js';
import type { IssuedGlobalCredential } from './schema.js';

/**
 * Creates the master and delivers its secret. This works once per installation.
 *
 * @throws {AgentkeepError} `invalid_request` when the subject breaks the text rule; `master_exists`
 * when there is a master, even if it is revoked.
 */
export function bootstrapMaster(
  runtime: Runtime,
  subjectId: string,
): Promise<IssuedGlobalCredential> {
  if (!isTextId(subjectId)) throw refusal([{ path: 'subjectId', expected: TEXT_RULE }]);
  const nowMs = runtime.clock.now();
  const id = runtime.newId();
  const made = newGlobalSecret(runtime, id);
  const credential: StoredGlobalCredential = {
    id,
    isMaster: true,
    spec: { subject_id: subjectId, capabilities: [...globalCapabilities], expires_at_millis: null },
    revision: 1,
    verifier: made.verifier,
    revokedAtMillis: null,
    previous: null,
  };
  const event = operatorEvent(runtime, null, globalCredentialChanged(id, 'bootstrapped'));
  return runtime.store.transact((tx) => {
    if (masterId(tx) !== undefined) throw new AgentkeepError('master_exists');
    insertGlobalCredential(tx, credential, {
      revision: 1,
      action: 'bootstrapped',
      actor_id: id,
      at_millis: nowMs,
    });
    runtime.audit.changed(tx, event);
    return delivered(tx, credential, made);
  });
}

/**
 * Gives the master a new secret and ends its revocation. Revoked delegates stay revoked.
 *
 * @throws {AgentkeepError} `master_absent`; `revision_conflict` when the master is not at the
 * expected revision.
 */
export async function recoverMaster(
  runtime: Runtime,
  expectedRevision: number,
): Promise<IssuedGlobalCredential> {
  const nowMs = runtime.clock.now();
  const id = await runtime.store.read((tx) => masterId(tx));
  if (id === undefined) throw new AgentkeepError('master_absent');
  const made = newGlobalSecret(runtime, id);
  const action = 'recovered_by_local_operator';
  const event = operatorEvent(runtime, null, globalCredentialChanged(id, action));
  return runtime.store.transact((tx) => {
    const master = findGlobalCredential(tx, id);
    if (master === undefined) throw new AgentkeepError('storage_inconsistency');
    if (master.revision !== expectedRevision) throw staleRevision(master.revision);
    const revision = master.revision + 1;
    const renewed = { verifier: made.verifier, previous: null, revokedAtMillis: null };
    const next = { ...master, ...renewed, revision };
    updateGlobalCredential(tx, next, { revision, action, actor_id: id, at_millis: nowMs });
    runtime.audit.changed(tx, event);
    return delivered(tx, next, made);
  });
}

/** Names the current revision, because an operator can't query it without the secret. */
function staleRevision(revision: number): AgentkeepError {
  const cause = new Error(`The master is at revision ${revision}.`);
  return new AgentkeepError('revision_conflict', { cause });
}

function delivered(
  tx: WriteTx,
  credential: StoredGlobalCredential,
  { secret }: FreshSecret,
): IssuedGlobalCredential {
  return {
    contract_version: CONTRACT_VERSION,
    credential: showGlobalCredential(tx, credential),
    secret: formatSecret(secret),
  };
}
