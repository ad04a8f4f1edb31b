/** `commitConsumer`: moves the position of a consumer on, and renews its lease. */
import { exampleVersion } from '../../../contract/example-values.js';
import { textId } from '../../../contract/schema/text.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { scopedChecks } from '../../../kernel/operation/orders-of-checks.js';
import { cursorsOf } from '../journal/change-cursor.js';
import { putConsumer, type StoredConsumer } from './consumer-store.js';
import { consumerAnswer, ownerOf, requireHeld } from './held-consumer.js';
import { ConsumerCommitRequest, ConsumerResponse } from './schema.js';

const FOREIGN_CURSOR = { path: 'cursor', expected: 'a cursor of this feed' };

/** A position that was passed already stays passed, so a repeat changes nothing. */
export const commitConsumer = defineTenantOperation({
  name: 'commitConsumer',
  summary: 'Move a consumer that the caller holds on to a position, and renew its lease.',
  example: {
    id: 'nightly',
    document: {
      ...exampleVersion,
      holder: 'worker-1',
      cursor: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    },
  },
  tag: 'Memory',
  input: { id: textId(), document: ConsumerCommitRequest },
  output: ConsumerResponse,
  requires: { capability: 'memory_read' },
  checks: scopedChecks,
  errors: ['target_not_found', 'consumer_not_held'],
  whenFull: 'served',
  handler: async (request) => {
    const { runtime, credential, input, nowMs } = request;
    const { holder, cursor, lease_seconds } = input.document;
    const owner = ownerOf(credential);
    const cursors = await cursorsOf(runtime, credential.tenantId);
    const lease = { holder, untilMillis: nowMs + lease_seconds * 1_000 };
    const committed = await runtime.store.transact((tx): StoredConsumer => {
      request.confirm(tx);
      const position = Uint8Array.from(cursors.open(cursor, FOREIGN_CURSOR));
      const present = requireHeld(tx, owner, input.id, holder);
      const isFurther = Buffer.compare(position, present.position) > 0;
      const moved = isFurther ? { position, committedAtMillis: nowMs, page: null } : {};
      const committedAtMillis = present.committedAtMillis ?? nowMs;
      const after = { ...present, committedAtMillis, ...moved, lease };
      putConsumer(tx, owner, after);
      return after;
    });
    return consumerAnswer(committed, cursors);
  },
});
