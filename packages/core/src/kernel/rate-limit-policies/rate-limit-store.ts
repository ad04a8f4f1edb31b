/**
 * Rate limit policies in the store, by ids that ascend in order of creation, and their common
 * revision, which counts the writes to any of them.
 */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { findMarker, putMarker } from '../installation/marker-store.js';
import { defineFamily } from '../../storage/store/family.js';
import { INSTALLATION } from '../../storage/store/key.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';
import { fieldsLayout, json, optionalLast } from '../../storage/store/fields.js';
import type { PolicySet, RateLimitPolicy } from '../rate-limit/rate-limit-policy.js';

const policyLayout = fieldsLayout<RateLimitPolicy>(1, {
  id: json(),
  name: json(),
  endpointType: json(),
  maxRequests: json(),
  windowSecs: json(),
  enabled: json(),
  createdAtMillis: json(),
  updatedAtMillis: json(),
  createdBy: json(),
  revision: optionalLast(),
});

/** Installation: rate limit policies, by id. */
export const rateLimitPolicies = defineFamily({
  name: 'rateLimitPolicies',
  number: 29,
  key: ['uuid'],
  layout: policyLayout,
  sealedBy: null,
  owner: 'installation',
  exported: { not: 'authority' },
  erased: 'kept',
  counts: null,
});

/** Returns the policy with this id, or `undefined`. */
export function findRateLimitPolicy(tx: ReadTx, id: string): RateLimitPolicy | undefined {
  return rateLimitPolicies.get(tx, INSTALLATION, id);
}

/** Returns policies from the newest to the oldest: all, or a page of those older than an id. */
export function listPolicies(
  tx: ReadTx,
  page: { readonly after?: string | undefined; readonly limit?: number } = {},
): RateLimitPolicy[] {
  const { after, limit } = page;
  const before: [string] | undefined = after === undefined ? undefined : [after];
  return rateLimitPolicies.values(tx, INSTALLATION, { prefix: [], reverse: true, before, limit });
}

/** Stores a new or changed policy. */
export function putPolicy(tx: WriteTx, policy: RateLimitPolicy): void {
  rateLimitPolicies.put(tx, policy, INSTALLATION, policy.id);
  countWrite(tx);
}

/** Removes a policy. */
export function removePolicy(tx: WriteTx, id: string): void {
  tx.remove(rateLimitPolicies.keyOf(INSTALLATION, id));
  countWrite(tx);
}

/**
 * Returns all policies with their revision, which is 0 in a store that never had a policy.
 *
 * @throws {AgentkeepError} `storage_inconsistency`
 */
export function readPolicySet(tx: ReadTx): PolicySet {
  return { revision: policyRevision(tx), policies: listPolicies(tx) };
}

function countWrite(tx: WriteTx): void {
  putMarker(tx, 'rate_limit_revision', policyRevision(tx) + 1);
}

/**
 * Returns the revision: how often any policy was written.
 *
 * @throws {AgentkeepError} `storage_inconsistency`
 */
export function policyRevision(tx: ReadTx): number {
  const revision = findMarker(tx, 'rate_limit_revision') ?? 0;
  if (typeof revision !== 'number') throw new AgentkeepError('storage_inconsistency');
  return revision;
}
