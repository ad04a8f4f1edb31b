/** The operations on the storage quota of a tenant. */
import * as v from 'valibot';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { exampleVersion } from '../../contract/example-values.js';
import { closed } from '../../contract/schema/document.js';
import { named } from '../../contract/schema/json-schema.js';
import { administrationVersion, answeredVersion, integer } from '../../contract/schema/number.js';
import { textId } from '../../contract/schema/text.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import type { EventSubject } from '../../kernel/audit/call-events.js';
import { defineInstallationOperation } from '../../kernel/operation/define-operation.js';
import { installationChecks } from '../../kernel/operation/orders-of-checks.js';
import { hasTenant } from '../../kernel/ports/known-callers.js';
import type { WriteTx } from '../../storage/store/store.js';
import {
  findQuota,
  nextQuotaRevision,
  putQuota,
  removeQuota,
  type StoredQuota,
} from '../stored/quota-store.js';
import { firstKeyOf } from './count-use.js';
import { isBounded, type QuotaLimits } from './quota-policy.js';
import { countUse } from './use-counter.js';

const limits = {
  /** Most entries of all kinds; null means unbounded. */
  max_entries: v.nullable(integer()),
  /** Most bytes of their keys and values; null means unbounded. */
  max_bytes: v.nullable(integer()),
};

/** The request body that sets a quota; with two nulls it removes the quota. */
const StorageQuotaRequest = v.pipe(
  closed({
    contract_version: administrationVersion(),
    ...limits,
    /** The revision that is replaced, 0 for none. Absent replaces any. */
    expected_revision: v.optional(integer()),
  }),
  named('StorageQuotaRequest'),
);

/** The answer that shows a quota and what the tenant uses. */
const StorageQuotaResponse = v.pipe(
  closed({
    contract_version: answeredVersion,
    tenant_id: textId(),
    quota: closed(limits),
    /** Greater after each change of the bounds; 0 without a quota. */
    revision: integer(),
    /** Null without a quota, because nothing is counted then. */
    use: v.nullable(
      closed({
        entries: integer(),
        bytes: integer(),
        /** False until everything that was stored before the quota is counted. */
        is_complete: v.boolean(),
      }),
    ),
  }),
  named('StorageQuotaResponse'),
);
type StorageQuotaResponse = v.InferOutput<typeof StorageQuotaResponse>;

/** Replaces the whole quota. A first quota starts the count of what the tenant holds. */
export const setStorageQuota = defineInstallationOperation({
  name: 'setStorageQuota',
  summary: 'Set or remove the storage quota of a tenant.',
  example: { id: 'acme', document: { ...exampleVersion, max_entries: 1_000_000, max_bytes: null } },
  command: {
    name: 'tenants set-quota',
    examples: ['agentkeep tenants set-quota acme --max-entries 1000000 --max-bytes 5000000000'],
  },
  tag: 'Administration',
  input: { id: textId(), document: StorageQuotaRequest },
  output: StorageQuotaResponse,
  requires: 'tenant_admin',
  checks: installationChecks,
  errors: ['tenant_not_found', 'revision_conflict'],
  handler: async (request) => {
    const { runtime, input } = request;
    const { id: tenantId, document } = input;
    const { expected_revision: expected } = document;
    const limits = { maxEntries: document.max_entries, maxBytes: document.max_bytes };
    const stored = await runtime.store.transact((tx) => {
      request.confirm(tx);
      if (!hasTenant.of(runtime)(tx, tenantId)) throw new AgentkeepError('tenant_not_found');
      const before = findQuota(tx, tenantId);
      if (expected !== undefined && expected !== revisionOf(before)) {
        throw new AgentkeepError('revision_conflict');
      }
      if (!isChanged(before, limits)) return before;
      const after = storeLimits(tx, tenantId, { before, limits });
      const event = quotaChanged(tenantId, before, after);
      request.record(tx, event);
      request.recordIn(tx, tenantId, event);
      return after;
    });
    if (stored !== undefined && stored.countedTo !== null) countUse.of(runtime)(tenantId);
    return showQuota(tenantId, stored);
  },
});

/** Keeps the use that is counted already. */
function storeLimits(
  tx: WriteTx,
  tenantId: string,
  { before, limits }: { readonly before: StoredQuota | undefined; readonly limits: QuotaLimits },
): StoredQuota | undefined {
  if (!isBounded(limits)) {
    removeQuota(tx, tenantId);
    return undefined;
  }
  const uncounted = { tenantId, entries: 0, bytes: 0, countedTo: firstKeyOf(tenantId) };
  const after = { ...(before ?? uncounted), ...limits, revision: nextQuotaRevision(tx) };
  putQuota(tx, after);
  return after;
}

function isChanged(before: QuotaLimits | undefined, after: QuotaLimits): boolean {
  const { max_entries: entries, max_bytes: bytes } = showLimits(before);
  return entries !== after.maxEntries || bytes !== after.maxBytes;
}

function revisionOf(quota: StoredQuota | undefined): number {
  return quota === undefined ? 0 : (quota.revision ?? 1);
}

/** Takes constant time: the use is stored, not counted. */
export const getStorageQuota = defineInstallationOperation({
  name: 'getStorageQuota',
  summary: 'Show the storage quota of a tenant, and what it uses.',
  example: { id: 'acme' },
  command: { name: 'tenants quota' },
  tag: 'Administration',
  effect: 'read',
  input: { id: textId() },
  output: StorageQuotaResponse,
  requires: 'tenant_inspect',
  checks: installationChecks,
  errors: ['tenant_not_found'],
  handler: async ({ runtime, input }) => {
    const { id: tenantId } = input;
    const found = await runtime.store.read((tx) => {
      if (!hasTenant.of(runtime)(tx, tenantId)) throw new AgentkeepError('tenant_not_found');
      return findQuota(tx, tenantId);
    });
    // Another server may have been stopped while it counted.
    if (found !== undefined && found.countedTo !== null) countUse.of(runtime)(tenantId);
    return showQuota(tenantId, found);
  },
});

/** Returns the answer for a tenant, with or without a quota. */
function showQuota(tenantId: string, quota: StoredQuota | undefined): StorageQuotaResponse {
  return {
    contract_version: CONTRACT_VERSION,
    tenant_id: tenantId,
    quota: showLimits(quota),
    revision: revisionOf(quota),
    use: quota === undefined ? null : showUse(quota),
  };
}

/** Returns the event of a quota that was set, changed or removed. */
function quotaChanged(
  tenantId: string,
  before: QuotaLimits | undefined,
  after: QuotaLimits | undefined,
): EventSubject {
  return {
    type: 'configuration_changed',
    action: 'configuration_changed',
    resource: `storage_quota:${tenantId}`,
    result: 'success',
    metadata: {
      change: before === undefined ? 'created' : after === undefined ? 'deleted' : 'updated',
      before: before === undefined ? null : showLimits(before),
      after: after === undefined ? null : showLimits(after),
    },
  };
}

function showLimits(limits: QuotaLimits | undefined) {
  return { max_entries: limits?.maxEntries ?? null, max_bytes: limits?.maxBytes ?? null };
}

function showUse({ entries, bytes, countedTo }: StoredQuota) {
  return { entries, bytes, is_complete: countedTo === null };
}
