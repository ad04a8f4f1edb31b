/** What operations of consumers share: whose they are, who holds them, how they are shown. */
import type { ActingCredential } from '../../../kernel/access/principal.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import type { EventSubject } from '../../../kernel/audit/call-events.js';
import type { ReadTx } from '../../../storage/store/store.js';
import type { ChangeCursors } from '../journal/change-cursor.js';
import { isHeldByAnother, type Lease } from '../journal/lease-policy.js';
import { type ConsumerOwner, findConsumer, type StoredConsumer } from './consumer-store.js';
import type { Consumer } from './schema.js';

/** Returns whose consumers a caller has. */
export function ownerOf({ tenantId, spec }: ActingCredential): ConsumerOwner {
  return { tenantId, subjectId: spec.subject_id };
}

/**
 * Returns a consumer.
 *
 * @throws {AgentkeepError} `target_not_found` when there is none.
 */
export function requireConsumer(tx: ReadTx, owner: ConsumerOwner, name: string): StoredConsumer {
  const found = findConsumer(tx, owner, name);
  if (found === undefined) throw new AgentkeepError('target_not_found');
  return found;
}

/** A worker, and the time. */
export interface Worker {
  readonly holder: string;
  readonly nowMs: number;
}

/**
 * Refuses another holder while its lease lasts.
 *
 * @throws {AgentkeepError} `consumer_held`
 */
export function refuseAnother(lease: Lease | null, { holder, nowMs }: Worker): void {
  if (isHeldByAnother(lease, holder, nowMs)) throw new AgentkeepError('consumer_held');
}

/**
 * Returns a consumer that a worker holds. It holds it until another one claims it, also after the
 * end of its lease.
 *
 * @throws {AgentkeepError} `target_not_found`, `consumer_not_held`
 */
export function requireHeld(
  tx: ReadTx,
  owner: ConsumerOwner,
  name: string,
  holder: string,
): StoredConsumer {
  const found = requireConsumer(tx, owner, name);
  if (found.lease?.holder !== holder) throw new AgentkeepError('consumer_not_held');
  return found;
}

/** Shows a consumer. */
export function showConsumer(
  { name, scope, position, createdAtMillis, committedAtMillis, lease }: StoredConsumer,
  cursors: ChangeCursors,
): Consumer {
  return {
    name,
    scope,
    position: cursors.seal(position),
    created_at_millis: createdAtMillis,
    committed_at_millis: committedAtMillis,
    lease: lease && { holder: lease.holder, until_millis: lease.untilMillis },
  };
}

/** Returns the answer with a consumer. */
export function consumerAnswer(consumer: StoredConsumer, cursors: ChangeCursors) {
  return { contract_version: CONTRACT_VERSION, consumer: showConsumer(consumer, cursors) };
}

/** Returns the event of a consumer that was made, begun anew or deleted. */
export function consumerChanged(
  change: 'created' | 'restarted' | 'deleted',
  { subjectId }: ConsumerOwner,
  name: string,
): EventSubject {
  return {
    type: 'configuration_changed',
    action: 'configuration_changed',
    resource: `consumer:${name}`,
    result: 'success',
    metadata: { change, subject_id: subjectId },
  };
}
