/**
 * Policies and contexts in the store: immutable, each with the digest of its payload, which is
 * verified whenever the bytes are decoded.
 *
 * @module
 */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { documentDigest } from '../../contract/schema/document-digest.js';
import { keyspace } from '../../storage/store/keyspace.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';
import { Subspace } from '../../storage/store/subspace.js';
import { fieldsLayout, type ValueLayout } from '../../storage/store/value.js';
import type { EvaluationContext, PolicyDefinition } from './schema.js';

/** A policy or context as it is stored; its id is part of its key. */
export interface StoredEntry<P> {
  readonly payload: P;
  readonly payloadDigest: string;
  /** Credential id and subject of the first registration. */
  readonly registeredBy: string;
  readonly recordedAtMillis: number;
}

type EntryFields<P> = [payload: P, digest: string, registeredBy: string, recordedAtMillis: number];

/** The digest of a policy, which receipts of proposals repeat. */
export const policyDigest = (payload: PolicyDefinition): string =>
  documentDigest('agentkeep learning-policy 1', payload);

/** The digest of a context, which receipts of proposals repeat. */
export const contextDigest = (payload: EvaluationContext): string =>
  documentDigest('agentkeep learning-context 1', payload);

function entryLayout<P>(digestOf: (payload: P) => string): ValueLayout<StoredEntry<P>> {
  return fieldsLayout<StoredEntry<P>, EntryFields<P>>(
    1,
    (it) => [it.payload, it.payloadDigest, it.registeredBy, it.recordedAtMillis],
    ([payload, payloadDigest, registeredBy, recordedAtMillis]) => {
      if (digestOf(payload) !== payloadDigest) throw new AgentkeepError('storage_inconsistency');
      return { payload, payloadDigest, registeredBy, recordedAtMillis };
    },
  );
}

const policies = new Subspace(keyspace.learningPolicies, entryLayout(policyDigest), {
  remember: true,
});
const contexts = new Subspace(keyspace.learningContexts, entryLayout(contextDigest), {
  remember: true,
});

/** The subspaces of policies and contexts, by their names in the key space. */
export const entrySubspaces = { learningPolicies: policies, learningContexts: contexts };

type EntrySubspace<P> = Subspace<readonly ['text'], StoredEntry<P>>;

/** The policy of a tenant with this id, if there is one. */
export function findPolicy(
  tx: ReadTx,
  tenantId: string,
  id: string,
): StoredEntry<PolicyDefinition> | undefined {
  return policies.get(tx, tenantId, id);
}

/** The context of a tenant with this id, if there is one. */
export function findContext(
  tx: ReadTx,
  tenantId: string,
  id: string,
): StoredEntry<EvaluationContext> | undefined {
  return contexts.get(tx, tenantId, id);
}

/** Registers a policy as {@link register} does. */
export function registerPolicy(
  tx: WriteTx,
  tenantId: string,
  id: string,
  entry: StoredEntry<PolicyDefinition>,
): StoredEntry<PolicyDefinition> {
  return register(policies, tx, { tenantId, id }, entry);
}

/** Registers a context as {@link register} does. */
export function registerContext(
  tx: WriteTx,
  tenantId: string,
  id: string,
  entry: StoredEntry<EvaluationContext>,
): StoredEntry<EvaluationContext> {
  return register(contexts, tx, { tenantId, id }, entry);
}

/**
 * Stores an entry under a free id; an equal one that is there already is given instead.
 *
 * @throws {AgentkeepError} `idempotency_conflict` when the id stands for something else.
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
