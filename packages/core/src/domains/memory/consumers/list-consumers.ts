/** `listConsumers`: shows the consumers of the caller. */
import { exampleVersion } from '../../../contract/example-values.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { scopedChecks } from '../../../kernel/operation/orders-of-checks.js';
import { cursorsOf } from '../journal/change-cursor.js';
import { consumersOf } from './consumer-store.js';
import { ownerOf, showConsumer } from './held-consumer.js';
import { ConsumerParameters, ConsumersResponse } from './schema.js';

/** By name. */
export const listConsumers = defineTenantOperation({
  name: 'listConsumers',
  summary: 'List the consumers of changes that the caller has.',
  example: { parameters: exampleVersion },
  command: {
    name: 'memory consumers',
    columns: ['name', 'lease.holder', 'lease.until_millis', 'committed_at_millis'],
  },
  tag: 'Memory',
  effect: 'read',
  input: { parameters: ConsumerParameters },
  output: ConsumersResponse,
  requires: { capability: 'memory_read' },
  checks: scopedChecks,
  handler: async ({ runtime, credential }) => {
    const cursors = await cursorsOf(runtime, credential.tenantId);
    const found = await runtime.store.read((tx) => consumersOf(tx, ownerOf(credential)));
    const consumers = found.map((each) => showConsumer(each, cursors));
    return { contract_version: CONTRACT_VERSION, consumers };
  },
});
