/**
 * The operations that create, show, list, change and delete rate limits, and the form of policies
 * in their documents.
 */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { exampleId } from '../../contract/example-values.js';
import { RATE_LIMIT_POLICIES_MAX } from '../../contract/limits.js';
import { shownAs, storedAs } from '../../contract/schema/member-names.js';
import { timeText } from '../../contract/schema/time.js';
import { uuid } from '../../contract/schema/uuid.js';
import { INSTALLATION } from '../../storage/store/key.js';
import type { EventSubject } from '../audit/call-events.js';
import { ListParameters, succeeded, SuccessResponse } from '../lists/account-lists.js';
import { decodeCursor, encodeCursor, type ListIdentity } from '../lists/cursor.js';
import { directoryPage } from '../lists/page.js';
import { defineAccountOperation } from '../operation/define-operation.js';
import { accountChecks } from '../operation/orders-of-checks.js';
import type { RateLimitPolicy } from '../rate-limit/rate-limit-policy.js';
import { findRateLimitPolicy, listPolicies, putPolicy, removePolicy } from './rate-limit-store.js';
import {
  CreateRateLimitRequest,
  RateLimitPolicyDocument,
  RateLimitPolicyList,
  UpdateRateLimitRequest,
} from './schema.js';
import { changePolicies } from './stored-policies.js';

/** Creates a policy. It takes precedence over older ones of its type. */
export const createRateLimit = defineAccountOperation({
  name: 'createRateLimit',
  summary: 'Create a rate limit policy. Of those of a type, the newest enabled one applies.',
  example: {
    document: { name: 'logins', endpoint_type: 'GeneralApi', max_requests: 600, window_secs: 60 },
  },
  command: {
    name: 'rate-limits create',
    examples: [
      `agentkeep rate-limits create --name api --endpoint-type '"GeneralApi"' ` +
        '--max-requests 600 --window-secs 60',
    ],
  },
  tag: 'RateLimits',
  input: { document: CreateRateLimitRequest },
  whenFull: 'served',
  output: RateLimitPolicyDocument,
  requires: { role: 'Admin', isInstallation: true },
  checks: accountChecks,
  errors: ['rate_limit_policy_limit'],
  handler: async (request) => {
    const { runtime, input, nowMs, principal } = request;
    const id = runtime.newId();
    const made = await changePolicies(runtime, (tx) => {
      request.confirm(tx);
      const others = listPolicies(tx);
      if (others.length >= RATE_LIMIT_POLICIES_MAX) {
        throw new AgentkeepError('rate_limit_policy_limit');
      }
      const origin = { id, nowMs, createdBy: principal.id, others };
      const policy = newPolicy(input.document, origin);
      putPolicy(tx, policy);
      request.record(tx, policyChanged({ change: 'created', after: policy }));
      return policy;
    });
    return showPolicy(made);
  },
});

/** Returns a policy, even a disabled one. */
export const getRateLimit = defineAccountOperation({
  name: 'getRateLimit',
  summary: 'Show a rate limit policy.',
  example: { id: exampleId },
  command: { name: 'rate-limits show' },
  tag: 'RateLimits',
  effect: 'read',
  input: { id: uuid() },
  output: RateLimitPolicyDocument,
  requires: { role: 'Admin', isInstallation: true },
  checks: accountChecks,
  errors: ['target_not_found'],
  handler: async ({ runtime, input }) => {
    const policy = await runtime.store.read((tx) => findRateLimitPolicy(tx, input.id));
    if (policy === undefined) throw new AgentkeepError('target_not_found');
    return showPolicy(policy);
  },
});

const identity: ListIdentity = { list: 'rate-limits', tenantId: INSTALLATION };

/**
 * Lists policies from newest to oldest, including disabled ones. Pages reflect concurrent changes.
 */
export const listRateLimits = defineAccountOperation({
  name: 'listRateLimits',
  summary: 'List the rate limit policies, newest first, disabled ones included.',
  example: { parameters: {} },
  command: {
    name: 'rate-limits list',
    columns: ['id', 'name', 'endpoint_type', 'max_requests', 'window_secs', 'enabled'],
  },
  tag: 'RateLimits',
  effect: 'read',
  input: { parameters: ListParameters },
  output: RateLimitPolicyList,
  requires: { role: 'Admin', isInstallation: true },
  checks: accountChecks,
  isHeavy: true,
  handler: async ({ runtime, input }) => {
    const { limit, cursor } = input.parameters;
    const after = cursor === undefined ? undefined : decodeCursor(identity, cursor);
    const found = await runtime.store.read((tx) => listPolicies(tx, { after, limit: limit + 1 }));
    const { items, next_cursor } = directoryPage(found, limit, showPolicy, ({ id }) =>
      encodeCursor(identity, id),
    );
    return { policies: items, next_cursor };
  },
});

/** Changes the given members. Equal values change nothing. */
export const updateRateLimit = defineAccountOperation({
  name: 'updateRateLimit',
  summary: 'Change a rate limit policy. Another limit starts its buckets full.',
  example: { id: exampleId, document: { max_requests: 300 } },
  command: {
    name: 'rate-limits update',
    examples: ['agentkeep rate-limits update <policy-id> --enabled false'],
  },
  tag: 'RateLimits',
  input: { id: uuid(), document: UpdateRateLimitRequest },
  whenFull: 'served',
  output: RateLimitPolicyDocument,
  requires: { role: 'Admin', isInstallation: true },
  checks: accountChecks,
  errors: ['target_not_found', 'revision_conflict'],
  handler: async (request) => {
    const { runtime, input, nowMs } = request;
    const { expected_revision: expected, ...change } = input.document;
    const policy = await changePolicies(runtime, (tx) => {
      request.confirm(tx);
      const before = findRateLimitPolicy(tx, input.id);
      if (before === undefined) throw new AgentkeepError('target_not_found');
      if (expected !== undefined && expected !== revisionOf(before)) {
        throw new AgentkeepError('revision_conflict');
      }
      const after = changedPolicy(before, change, nowMs);
      if (after === before) return before;
      putPolicy(tx, after);
      request.record(tx, policyChanged({ change: 'updated', before, after }));
      return after;
    });
    return showPolicy(policy);
  },
});

/**
 * Deletes a policy. The newest enabled one of its type that remains applies from then on, if any.
 */
export const deleteRateLimit = defineAccountOperation({
  name: 'deleteRateLimit',
  summary: 'Delete a rate limit policy. A deleted default does not come back.',
  example: { id: exampleId },
  command: { name: 'rate-limits delete' },
  tag: 'RateLimits',
  input: { id: uuid() },
  whenFull: 'served',
  output: SuccessResponse,
  requires: { role: 'Admin', isInstallation: true },
  checks: accountChecks,
  errors: ['target_not_found'],
  handler: async (request) => {
    const { runtime, input } = request;
    await changePolicies(runtime, (tx) => {
      request.confirm(tx);
      const before = findRateLimitPolicy(tx, input.id);
      if (before === undefined) throw new AgentkeepError('target_not_found');
      removePolicy(tx, before.id);
      request.record(tx, policyChanged({ change: 'deleted', before }));
    });
    return succeeded('The rate limit policy is deleted.');
  },
});

/** A policy before and after a change; a created or deleted policy has only one of them. */
type PolicyChange =
  | { readonly change: 'created'; readonly before?: never; readonly after: RateLimitPolicy }
  | {
      readonly change: 'updated';
      readonly before: RateLimitPolicy;
      readonly after: RateLimitPolicy;
    }
  | { readonly change: 'deleted'; readonly before: RateLimitPolicy; readonly after?: never };

/** Returns the audit event for a policy that was created, updated or deleted. */
function policyChanged({ change, before, after }: PolicyChange): EventSubject {
  const { id } = before ?? after;
  return {
    type: 'configuration_changed',
    action: 'configuration_changed',
    resource: `rate_limit:${id}`,
    result: 'success',
    metadata: {
      change,
      before: before === undefined ? null : { ...showPolicy(before) },
      after: after === undefined ? null : { ...showPolicy(after) },
    },
  };
}

/** A policy, as responses show it. */
export function showPolicy(policy: RateLimitPolicy): RateLimitPolicyDocument {
  const { endpointType } = policy;
  return shownAs(RateLimitPolicyDocument, policy, {
    endpoint_type: typeof endpointType === 'string' ? endpointType : { ...endpointType },
    created_at: timeText(policy.createdAtMillis),
    updated_at: timeText(policy.updatedAtMillis),
    revision: revisionOf(policy),
  });
}

/** Returns the revision of a policy. */
export function revisionOf({ revision }: RateLimitPolicy): number {
  return revision ?? 1;
}

/** The creator of a policy, its time of creation and the policies before it. */
export interface PolicyOrigin {
  readonly id: string;
  readonly nowMs: number;
  readonly createdBy: string;
  /** All existing policies. */
  readonly others: readonly RateLimitPolicy[];
}

/**
 * Returns the policy for a create request. Its id is the greatest, even if the clock was set back
 * or is behind the clock of another server.
 */
export function newPolicy(request: CreateRateLimitRequest, origin: PolicyOrigin): RateLimitPolicy {
  const { id, nowMs, createdBy, others } = origin;
  const earliest = ({ createdAtMillis, id: other }: RateLimitPolicy): number =>
    other < id ? createdAtMillis : createdAtMillis + 1;
  const atMillis = others.reduce((latest, other) => Math.max(latest, earliest(other)), nowMs);
  return {
    id,
    ...storedAs(request),
    createdAtMillis: atMillis,
    updatedAtMillis: atMillis,
    createdBy,
  };
}

/** Returns the changed policy, or the same object if the request changes nothing. */
export function changedPolicy(
  policy: RateLimitPolicy,
  change: Omit<UpdateRateLimitRequest, 'expected_revision'>,
  nowMs: number,
): RateLimitPolicy {
  const stated = storedAs(change);
  const changed = (Object.keys(stated) as (keyof typeof stated)[]).filter(
    (name) => stated[name] !== undefined && stated[name] !== policy[name],
  );
  if (changed.length === 0) return policy;
  return {
    ...policy,
    ...Object.fromEntries(changed.map((name) => [name, stated[name]])),
    updatedAtMillis: Math.max(nowMs, policy.updatedAtMillis),
    revision: revisionOf(policy) + 1,
  };
}
