/**
 * Policies and contexts in the store. They never change. Decoding verifies the digests of their
 * payloads.
 */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { documentDigest } from '../../../contract/schema/document-digest.js';
import { partsOfKey } from '../../../storage/store/key.js';
import { defineFamily } from '../../../storage/store/family.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import type { Subspace } from '../../../storage/store/subspace.js';
import { fieldsLayout, json, number, text, type ValueOf } from '../../../storage/store/fields.js';
import type { KeySpan } from '../key-span.js';
import type { EvaluationContext, PolicyDefinition } from './schema.js';

/** Digest of a policy. Receipts of proposals repeat it. */
export const policyDigest = (payload: PolicyDefinition): string =>
  documentDigest('agentkeep learning-policy 1', payload);

/** Digest of a context. Receipts of proposals repeat it. */
export const contextDigest = (payload: EvaluationContext): string =>
  documentDigest('agentkeep learning-context 1', payload);

/** The id is part of the key. */
const entryLayout = <P>(digestOf: (payload: P) => string) =>
  fieldsLayout(
    1,
    {
      payload: json<P>(),
      payloadDigest: text,
      /** Credential id and subject of the first registration. */
      registeredBy: text,
      recordedAtMillis: number,
    },
    ({ payload, payloadDigest }) => digestOf(payload) === payloadDigest,
  );

/** A stored policy or context. */
export type StoredEntry<P> = ValueOf<ReturnType<typeof entryLayout<P>>>;

/** Learning policies, by id. */
export const learningPolicies = defineFamily({
  name: 'learningPolicies',
  number: 40,
  key: ['text'],
  layout: entryLayout(policyDigest),
  sealedBy: 'tenant',
  owner: 'tenant',
  exported: { line: 'policy' },
  erased: 'kept',
  counts: null,
  remember: true,
  // What a tenant registers for all. Digests are over it, so it stays with those whom it names.
  traces: { isOf: 'others' },
});

/** Evaluation contexts, by id. */
export const learningContexts = defineFamily({
  name: 'learningContexts',
  number: 41,
  key: ['text'],
  layout: entryLayout(contextDigest),
  sealedBy: 'tenant',
  owner: 'tenant',
  exported: { line: 'context' },
  erased: 'kept',
  counts: null,
  remember: true,
  traces: { isOf: 'others' },
});

type EntrySubspace<P> = Subspace<readonly ['text'], StoredEntry<P>>;

/** Returns the policy of a tenant with this id, or `undefined`. */
export function findLearningPolicy(
  tx: ReadTx,
  tenantId: string,
  id: string,
): StoredEntry<PolicyDefinition> | undefined {
  return learningPolicies.get(tx, tenantId, id);
}

/** Returns the context of a tenant with this id, or `undefined`. */
export function findContext(
  tx: ReadTx,
  tenantId: string,
  id: string,
): StoredEntry<EvaluationContext> | undefined {
  return learningContexts.get(tx, tenantId, id);
}

/** An entry with its id, which is only in its key. */
export interface IdentifiedEntry<P> {
  readonly id: string;
  readonly entry: StoredEntry<P>;
}

/** Returns the policies of a tenant after an id, in the order of their keys. */
export function policiesAfter(
  tx: ReadTx,
  tenantId: string,
  span: KeySpan,
): IdentifiedEntry<PolicyDefinition>[] {
  return entriesAfter(learningPolicies, tx, tenantId, span);
}

/** Returns the contexts of a tenant after an id, in the order of their keys. */
export function contextsAfter(
  tx: ReadTx,
  tenantId: string,
  span: KeySpan,
): IdentifiedEntry<EvaluationContext>[] {
  return entriesAfter(learningContexts, tx, tenantId, span);
}

function entriesAfter<P>(
  subspace: EntrySubspace<P>,
  tx: ReadTx,
  tenantId: string,
  { after, limit }: KeySpan,
): IdentifiedEntry<P>[] {
  const start: [string] | undefined = after === undefined ? undefined : [after];
  const rows = subspace.rows(tx, tenantId, { prefix: [], after: start, limit });
  return Array.from(rows, ({ key, value: entry }) => {
    const [id] = partsOfKey(['text'], key);
    return { id: String(id), entry };
  });
}

/** Registers a policy as {@link register} does. */
export function registerPolicy(
  tx: WriteTx,
  tenantId: string,
  id: string,
  entry: StoredEntry<PolicyDefinition>,
): StoredEntry<PolicyDefinition> {
  return register(learningPolicies, tx, { tenantId, id }, entry);
}

/** Registers a context as {@link register} does. */
export function registerContext(
  tx: WriteTx,
  tenantId: string,
  id: string,
  entry: StoredEntry<EvaluationContext>,
): StoredEntry<EvaluationContext> {
  return register(learningContexts, tx, { tenantId, id }, entry);
}

/**
 * Stores an entry, or returns the equal one that is stored already.
 *
 * @throws {AgentkeepError} `idempotency_conflict` when the id belongs to another payload.
 */
function register<P>(
  subspace: EntrySubspace<P>,
  tx: WriteTx,
  { tenantId, id }: { readonly tenantId: string; readonly id: string },
  entry: StoredEntry<P>,
): StoredEntry<P> {
  const known = subspace.get(tx, tenantId, id);
  if (known === undefined) {
    subspace.put(tx, entry, tenantId, id);
    return entry;
  }
  if (known.payloadDigest !== entry.payloadDigest) throw new AgentkeepError('idempotency_conflict');
  return known;
}
