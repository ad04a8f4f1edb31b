/** `releaseConsumer`: ends the lease of a consumer before its time. */
import { exampleVersion } from '../../../contract/example-values.js';
import { textId } from '../../../contract/schema/text.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { scopedChecks } from '../../../kernel/operation/orders-of-checks.js';
import { cursorsOf } from '../journal/change-cursor.js';
import { putConsumer, type StoredConsumer } from './consumer-store.js';
import { consumerAnswer, ownerOf, requireConsumer } from './held-consumer.js';
import { ConsumerReleaseRequest, ConsumerResponse } from './schema.js';

/** A holder that doesn't hold it changes nothing. */
export const releaseConsumer = defineTenantOperation({
  name: 'releaseConsumer',
  summary: 'Let another worker claim a consumer at once.',
  example: { id: 'nightly', document: { ...exampleVersion, holder: 'worker-1' } },
  tag: 'Memory',
  input: { id: textId(), document: ConsumerReleaseRequest },
  output: ConsumerResponse,
  requires: { capability: 'memory_read' },
  checks: scopedChecks,
  errors: ['target_not_found'],
  whenFull: 'served',
  handler: async (request) => {
    const { runtime, credential, input } = request;
    const { holder } = input.document;
    const owner = ownerOf(credential);
    const cursors = await cursorsOf(runtime, credential.tenantId);
    const released = await runtime.store.transact((tx): StoredConsumer => {
      request.confirm(tx);
      const present = requireConsumer(tx, owner, input.id);
      if (present.lease?.holder !== holder) return present;
      const after = { ...present, lease: null };
      putConsumer(tx, owner, after);
      return after;
    });
    return consumerAnswer(released, cursors);
  },
});
