/** `deleteConsumer`: ends a consumer and its position. */
import { exampleVersion } from '../../../contract/example-values.js';
import { textId } from '../../../contract/schema/text.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { inputFirstChecks } from '../../../kernel/operation/orders-of-checks.js';
import { removeConsumer } from './consumer-store.js';
import { consumerChanged, ownerOf, requireConsumer } from './held-consumer.js';
import { ConsumerParameters, DeletedConsumerResponse } from './schema.js';

/** Its holder notices at its next call. */
export const deleteConsumer = defineTenantOperation({
  name: 'deleteConsumer',
  summary: 'Delete a consumer of changes with its position.',
  example: { id: 'nightly', parameters: exampleVersion },
  command: { name: 'memory delete-consumer' },
  tag: 'Memory',
  input: { id: textId(), parameters: ConsumerParameters },
  output: DeletedConsumerResponse,
  requires: { capability: 'memory_read' },
  checks: inputFirstChecks,
  errors: ['target_not_found'],
  whenFull: 'served',
  handler: async (request) => {
    const { runtime, credential, input } = request;
    const owner = ownerOf(credential);
    await runtime.store.transact((tx) => {
      request.confirm(tx);
      requireConsumer(tx, owner, input.id);
      removeConsumer(tx, owner, input.id);
      request.record(tx, consumerChanged('deleted', owner, input.id));
    });
    return { contract_version: CONTRACT_VERSION, deleted: true as const };
  },
});
