/** `claimConsumer`: makes a consumer, or takes over one that nobody works with. */
import { inExampleScope } from '../../../contract/example-values.js';
import { isSameScope } from '../../../kernel/access/grant-policy.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { textId } from '../../../contract/schema/text.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { scopedChecks } from '../../../kernel/operation/orders-of-checks.js';
import { positionAt } from '../changes/read-changes.js';
import { floorOf } from '../journal/change-store.js';
import { cursorsOf } from '../journal/change-cursor.js';
import { findConsumer, hasRoom, putConsumer, type StoredConsumer } from './consumer-store.js';
import { consumerAnswer, consumerChanged, ownerOf, refuseAnother } from './held-consumer.js';
import { ClaimRequest, ConsumerResponse } from './schema.js';

/** A repeat by the same holder renews its lease. */
export const claimConsumer = defineTenantOperation({
  name: 'claimConsumer',
  summary: 'Make a consumer of changes, or take it over once its lease has ended.',
  example: { id: 'nightly', document: { ...inExampleScope, holder: 'worker-1' } },
  tag: 'Memory',
  input: { id: textId(), document: ClaimRequest },
  output: ConsumerResponse,
  requires: {
    capability: 'memory_read',
    scope: ({ document }) => document.scope ?? undefined,
  },
  checks: scopedChecks,
  errors: ['consumer_held', 'consumer_limit', 'idempotency_conflict'],
  handler: async (request) => {
    const { runtime, credential, input, nowMs } = request;
    const { id: name, document } = input;
    const { holder, scope, restart } = document;
    const lease = { holder, untilMillis: nowMs + document.lease_seconds * 1_000 };
    const owner = ownerOf(credential);
    const cursors = await cursorsOf(runtime, credential.tenantId);
    // Positions are read in a snapshot, which a body that writes doesn't have.
    const start = await runtime.store.read((tx) =>
      Uint8Array.from(
        positionAt(document.start, floorOf(tx, owner.tenantId), Uint8Array.from(tx.horizon())),
      ),
    );
    const claimed = await runtime.store.transact((tx): StoredConsumer => {
      request.confirm(tx);
      const found = findConsumer(tx, owner, name);
      refuseAnother(found?.lease ?? null, { holder, nowMs });
      if (found !== undefined && !isSame(found.scope, scope)) {
        const members = [{ path: 'scope', expected: 'the scope of the consumer' }];
        throw new AgentkeepError('idempotency_conflict', { members });
      }
      if (found === undefined && !hasRoom(tx, owner)) throw new AgentkeepError('consumer_limit');
      const made = { name, scope, position: start, createdAtMillis: nowMs };
      const fresh = { ...made, committedAtMillis: null, lease: null, page: null };
      const restarted = found && restart ? { ...found, position: start, page: null } : found;
      const claimedNow = { ...(restarted ?? fresh), lease };
      if (found === undefined) request.record(tx, consumerChanged('created', owner, name));
      else if (restart) request.record(tx, consumerChanged('restarted', owner, name));
      putConsumer(tx, owner, claimedNow);
      return claimedNow;
    });
    return consumerAnswer(claimed, cursors);
  },
});

function isSame(one: StoredConsumer['scope'], other: StoredConsumer['scope']): boolean {
  return one === null || other === null ? one === other : isSameScope(one, other);
}
