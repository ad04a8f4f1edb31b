/** `listLearningPolicies`, `listLearningContexts`: page through those of the tenant. */
import { exampleVersion } from '../../../contract/example-values.js';
import * as v from 'valibot';
import { listDirectory } from '../../../kernel/lists/list-directory.js';
import { PageParameters } from '../../../kernel/lists/page-parameters.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import type { TenantRequest } from '../../../kernel/operation/requests.js';
import { authorityFirstChecks } from '../../../kernel/operation/orders-of-checks.js';
import type { ReadTx } from '../../../storage/store/store.js';
import type { KeySpan } from '../key-span.js';
import { contextsAfter, type IdentifiedEntry, policiesAfter } from '../policy/entry-store.js';
import { learningText } from '../policy/schema.js';
import { showEntry } from '../policy/show-entry.js';
import { ContextEntriesResponse, PolicyEntriesResponse } from './list-schema.js';

const input = { parameters: PageParameters };

/** Members of both. The order of checks is that of the other operations on policies. */
const listing = {
  tag: 'Learning',
  effect: 'read',
  input,
  requires: { capability: 'policy_admin' },
  checks: authorityFirstChecks,
  isHeavy: true,
} as const;

/** In the order of stored keys, which isn't that of time. */
export const listLearningPolicies = defineTenantOperation({
  ...listing,
  name: 'listLearningPolicies',
  summary: 'List the learning policies of the tenant.',
  example: { parameters: { ...exampleVersion, limit: 1 } },
  command: {
    name: 'learning policies',
    columns: [
      ...['id', 'payload.algorithm', 'payload.parameters.qualification_trials'],
      ...['payload.parameters.evaluator_id', 'recorded_at_millis'],
    ],
    examples: ['agentkeep learning policies --profile coach'],
  },
  output: PolicyEntriesResponse,
  handler: (request) => list(request, 'policies', policiesAfter),
});

/** In the order of stored keys, which isn't that of time. */
export const listLearningContexts = defineTenantOperation({
  ...listing,
  name: 'listLearningContexts',
  summary: 'List the evaluation contexts of the tenant.',
  example: { parameters: { ...exampleVersion, limit: 1 } },
  command: {
    name: 'learning contexts',
    columns: [
      ...['id', 'payload.task', 'payload.baseline_revision'],
      ...['payload.evaluation_contract', 'recorded_at_millis'],
    ],
    examples: ['agentkeep learning contexts --profile coach'],
  },
  output: ContextEntriesResponse,
  handler: (request) => list(request, 'contexts', contextsAfter),
});

function list<P>(
  { runtime, credential: { tenantId }, input: { parameters } }: TenantRequest<typeof input>,
  kind: 'policies' | 'contexts',
  read: (tx: ReadTx, tenantId: string, span: KeySpan) => IdentifiedEntry<P>[],
) {
  return listDirectory(runtime.store, parameters, {
    identity: { list: `learning ${kind}`, tenantId },
    read: (tx, span) => read(tx, tenantId, span),
    show: (_tx, { id, entry }) => showEntry(tenantId, id, entry),
    placeOf: ({ id }) => id,
    isPlace: (text) => v.is(learningText(), text),
  });
}
