/**
 * Rate limit policies in the store, by ids that ascend in order of creation, and the revision of
 * them all: how often any of them has been written.
 * @module
 */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { findMarker, putMarker } from '../../runtime/installation/marker-store.js';
import { INSTALLATION, keyspace } from '../../storage/store/keyspace.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';
import { Subspace } from '../../storage/store/subspace.js';
import { fieldsLayout } from '../../storage/store/value.js';
import type {
  EndpointType,
  PolicySet,
  RateLimitPolicy,
} from '../../runtime/admission/rate-limit-policy.js';

type PolicyFields = [
  id: string,
  name: string,
  endpointType: EndpointType,
  maxRequests: number,
  windowSecs: number,
  enabled: boolean,
  createdAtMillis: number,
  updatedAtMillis: number,
  createdBy: string,
];

const policies = new Subspace(
  keyspace.rateLimitPolicies,
  fieldsLayout<RateLimitPolicy, PolicyFields>(
    1,
    (it) => [
      it.id,
      it.name,
      it.endpointType,
      it.maxRequests,
      it.windowSecs,
      it.enabled,
      it.createdAtMillis,
      it.updatedAtMillis,
      it.createdBy,
    ],
    ([id, name, endpointType, maxRequests, windowSecs, enabled, created, updated, createdBy]) => ({
      id,
      name,
      endpointType,
      maxRequests,
      windowSecs,
      enabled,
      createdAtMillis: created,
      updatedAtMillis: updated,
      createdBy,
    }),
  ),
);

/** The subspace of rate limit policies, by its name in the key space. */
export const rateLimitSubspaces = { rateLimitPolicies: policies };

/** The policy with this id, if there is one. */
export function findPolicy(tx: ReadTx, id: string): RateLimitPolicy | undefined {
  return policies.get(tx, INSTALLATION, id);
}

/** Policies from the newest to the oldest; all of them, or a page from behind an id. */
export function listPolicies(
  tx: ReadTx,
  page: { readonly after?: string | undefined; readonly limit?: number } = {},
): RateLimitPolicy[] {
  const { after, limit } = page;
  const span = {
    prefix: [] as [],
    reverse: true,
    ...(after === undefined ? {} : { before: [after] as [string] }),
    ...(limit === undefined ? {} : { limit }),
  };
  return Array.from(policies.rows(tx, INSTALLATION, span), ({ value }) => value);
}

/** Stores a policy, new or in place of what it was. */
export function putPolicy(tx: WriteTx, policy: RateLimitPolicy): void {
  policies.put(tx, policy, INSTALLATION, policy.id);
  countWrite(tx);
}

/** Removes a policy for good. */
export function removePolicy(tx: WriteTx, id: string): void {
  tx.remove(policies.keyOf(INSTALLATION, id));
  countWrite(tx);
}

/**
 * All policies with their revision, which is 0 in a store that never had any.
 * @throws {AgentkeepError} `storage_inconsistency`
 */
export function readPolicySet(tx: ReadTx): PolicySet {
  return { revision: policyRevision(tx), policies: listPolicies(tx) };
}

function countWrite(tx: WriteTx): void {
  putMarker(tx, 'rate_limit_revision', policyRevision(tx) + 1);
}

/**
 * How often any policy has been written.
 * @throws {AgentkeepError} `storage_inconsistency`
 */
export function policyRevision(tx: ReadTx): number {
  const revision = findMarker(tx, 'rate_limit_revision') ?? 0;
  if (typeof revision !== 'number') throw new AgentkeepError('storage_inconsistency');
  return revision;
}
