/** Pages of the entries of a namespace. */
import * as v from 'valibot';
import { exampleVersion } from '../../../contract/example-values.js';
import type { CONTRACT_VERSION } from '../../../contract/version.js';
import type { Namespace } from '../../../kernel/access/namespace.js';
import { listDirectory } from '../../../kernel/lists/list-directory.js';
import { type DirectoryPage, PageParameters } from '../../../kernel/lists/page.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { authorityFirstChecks } from '../../../kernel/operation/orders-of-checks.js';
import type { TenantRequest } from '../../../kernel/operation/requests.js';
import type { ReadTx, Transactions } from '../../../storage/store/store.js';
import type { KeySpan } from '../key-span.js';
import { contextsAfter, type IdentifiedEntry, policiesAfter } from '../policy/entry-store.js';
import { learningText } from '../policy/schema.js';
import { showEntry } from '../policy/learning-entries.js';
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

/** What is listed. */
interface NamespaceList<R, T> {
  readonly namespace: Namespace;
  /** Names the list within the namespace: its kind, and whose entries they are. */
  readonly of: readonly string[];
  readonly read: (tx: ReadTx, span: KeySpan) => R[];
  readonly show: (row: R) => T;
  readonly idOf: (row: R) => string;
}

/**
 * Returns one page.
 *
 * @throws {AgentkeepError} `invalid_request` for a cursor of another list.
 */
export function listNamespace<R, T>(
  store: Transactions,
  { limit, cursor }: { readonly limit: number; readonly cursor: string | null },
  { namespace: { tenantId, digest }, of, read, show, idOf }: NamespaceList<R, T>,
): Promise<{ contract_version: typeof CONTRACT_VERSION; page: DirectoryPage<T> }> {
  const place = Buffer.from(digest).toString('hex');
  const page = { limit, cursor: cursor ?? undefined };
  return listDirectory(store, page, {
    identity: { list: JSON.stringify(['learning', place, ...of]), tenantId },
    read,
    show: (_tx, row) => show(row),
    placeOf: idOf,
    isPlace: (text) => v.is(learningText(), text),
  });
}
