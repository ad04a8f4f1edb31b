/** The operations on the retention of a scope, and their documents and audit events. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { exampleVersion, inExampleScope } from '../../../contract/example-values.js';
import { shownAs, storedAs } from '../../../contract/schema/member-names.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { scopeDigest } from '../../../kernel/access/namespace.js';
import type { Scope } from '../../../kernel/access/scope.js';
import type { EventSubject } from '../../../kernel/audit/call-events.js';
import { refuseErased } from '../../../kernel/erased/erasure-mark-store.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { inputFirstChecks } from '../../../kernel/operation/orders-of-checks.js';
import { Port } from '../../../kernel/ports/port.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import { narrowed, type RetentionSetting, tenantRetention } from './retention-policy.js';
import {
  EffectiveRetention,
  RetentionParameters,
  RetentionRequest,
  RetentionResponse,
  RetentionSettings,
} from './retention-schema.js';
import { findRetention, putRetention, type StoredRetention } from './retention-store.js';
import { restartSweep, sweepMemory } from './sweep-store.js';

/** Hears that the setting of a tenant, or of one of its scopes, may have changed. */
export const followRetention = new Port<(tenantId: string) => void>('followRetention');

/** Replaces the whole setting. What has ended is hidden at once; the next sweep removes it. */
export const setMemoryRetention = defineTenantOperation({
  name: 'setMemoryRetention',
  summary: 'Set how long memory is kept, in the tenant or in a scope.',
  example: {
    document: {
      ...inExampleScope,
      expected_revision: 0,
      retention: { revisions_max: 20, deleted_days: 30 },
    },
  },
  command: {
    name: 'memory set-retention',
    revisionFrom: 'getMemoryRetention',
    examples: ['agentkeep memory set-retention --revisions-max 100 --deleted-days 30'],
  },
  tag: 'Memory',
  input: { document: RetentionRequest },
  output: RetentionResponse,
  requires: { capability: 'credential_admin' },
  checks: inputFirstChecks,
  // A setting makes room, but the first one of a scope is an entry more.
  whenFull: {
    of: ({ document: { scope, expected_revision: expected } }) =>
      scope === null || expected > 0 ? 'served' : 'refused',
  },
  errors: ['revision_conflict', 'erasure_in_progress'],
  handler: async (request) => {
    const { runtime, credential, input } = request;
    const { scope, expected_revision: expected, retention, review: wanted } = input.document;
    const target = { tenantId: credential.tenantId, scope };
    const setting = settingOf(retention);
    const answer = await runtime.store.transact((tx) => {
      request.confirm(tx);
      if (scope !== null) refuseErased(tx, target.tenantId, [partsOf(scope)]);
      const before = findRetention(tx, retentionKeyOf(target));
      const revision = before?.revision ?? 0;
      if (revision !== expected) throw new AgentkeepError('revision_conflict');
      const known = before?.review ?? null;
      const review = wanted === undefined ? known : wanted === 'required' ? wanted : null;
      const isSame = before !== undefined && revision > 0 && review === known;
      if (!isSame || !isSameSetting(before.setting, setting)) {
        store(tx, target, { before, setting, review });
        restartSweep(tx, target.tenantId);
        request.record(tx, retentionChanged(target, before, { setting, review }));
      }
      return showRetention(tx, target);
    });
    sweepMemory.of(runtime)();
    followRetention.of(runtime)(target.tenantId);
    return answer;
  },
});

function store(
  tx: WriteTx,
  target: RetentionTarget,
  {
    before,
    ...kept
  }: Pick<StoredRetention, 'setting' | 'review'> & {
    before: StoredRetention | undefined;
  },
): void {
  const { tenantId, scope } = target;
  const revision = (before?.revision ?? 0) + 1;
  if (scope === null) {
    const hasScopes = before?.hasScopes ?? false;
    putRetention(tx, retentionKeyOf(target), { revision, scope, hasScopes, ...kept });
    return;
  }
  const stored = { revision, scope: partsOf(scope), hasScopes: false, ...kept };
  putRetention(tx, retentionKeyOf(target), stored);
  const ofTenant = findRetention(tx, { tenantId, digest: null });
  if (ofTenant?.hasScopes === true) return;
  // Commands look for a setting of their scope only if this says that there is any.
  const unset = { revision: 0, scope: null, setting: UNSET, review: null };
  putRetention(tx, { tenantId, digest: null }, { ...(ofTenant ?? unset), hasScopes: true });
}

function partsOf({ project_id, mission_id, agent_id, visibility }: Scope) {
  return [project_id, mission_id, agent_id, visibility, null] as const;
}

/** Shows a setting and the retention that follows from it. */
export const getMemoryRetention = defineTenantOperation({
  name: 'getMemoryRetention',
  summary: 'Show how long memory is kept, in the tenant or in a scope.',
  example: { parameters: exampleVersion },
  command: { name: 'memory retention' },
  tag: 'Memory',
  effect: 'read',
  input: { parameters: RetentionParameters },
  output: RetentionResponse,
  requires: { capability: 'credential_admin' },
  checks: inputFirstChecks,
  handler: ({ runtime, credential: { tenantId }, input }) => {
    const target = { tenantId, scope: scopeIn(input.parameters) };
    return runtime.store.read((tx) => showRetention(tx, target));
  },
});

function scopeIn({
  project_id,
  mission_id,
  agent_id,
  visibility,
}: RetentionParameters): Scope | null {
  if (project_id === undefined || agent_id === undefined || visibility === undefined) return null;
  return { project_id, mission_id: mission_id ?? null, agent_id, visibility };
}

/** What a setting holds for: a tenant, or one of its scopes. */
export interface RetentionTarget {
  readonly tenantId: string;
  /** Null for the whole tenant. */
  readonly scope: Scope | null;
}

/** A setting that changes nothing. */
export const UNSET: RetentionSetting = {
  revisionsMax: null,
  revisionDays: null,
  deletedDays: null,
  lifetimeSeconds: null,
  expiredDays: null,
  readDays: null,
};

/** Returns the digest of a scope under which its setting is stored; null for the tenant. */
function retentionKeyOf({ tenantId, scope }: RetentionTarget) {
  if (scope === null) return { tenantId, digest: null };
  const { project_id, mission_id, agent_id, visibility } = scope;
  return { tenantId, digest: scopeDigest([project_id, mission_id, agent_id, visibility, null]) };
}

/** Returns the setting that a request states. */
export function settingOf(document: RetentionSettings): RetentionSetting {
  return storedAs(document);
}

/** Returns the answer with a setting and the retention that follows from it. */
function showRetention(tx: ReadTx, target: RetentionTarget): RetentionResponse {
  const { tenantId, scope } = target;
  const ofTenant = findRetention(tx, { tenantId, digest: null });
  const stored = scope === null ? ofTenant : findRetention(tx, retentionKeyOf(target));
  const tenant = tenantRetention(ofTenant?.setting);
  const effective = scope === null ? tenant : narrowed(tenant, stored?.setting);
  return {
    contract_version: CONTRACT_VERSION,
    scope,
    revision: stored?.revision ?? 0,
    retention: shown(stored?.setting ?? UNSET),
    effective: shownAs(EffectiveRetention, effective, {}),
    review: stored?.review ?? 'none',
    effective_review: effectiveReview(scope, [ofTenant, stored]),
  };
}

function effectiveReview(scope: Scope | null, settings: readonly (StoredRetention | undefined)[]) {
  if (scope?.visibility === 'private') return 'none';
  return settings.some((each) => each?.review === 'required') ? 'required' : 'none';
}

/** Returns the event of a changed setting. */
function retentionChanged(
  { tenantId, scope }: RetentionTarget,
  before: StoredRetention | undefined,
  after: Pick<StoredRetention, 'setting' | 'review'>,
): EventSubject {
  const isFirst = before === undefined || before.revision === 0;
  return {
    type: 'configuration_changed',
    action: 'configuration_changed',
    resource: `retention:${tenantId}`,
    result: 'success',
    metadata: {
      change: isFirst ? 'created' : 'updated',
      scope: scope === null ? null : { ...scope },
      before: isFirst ? null : eventOf(before),
      after: eventOf(after),
    },
  };
}

function eventOf({ setting, review }: Pick<StoredRetention, 'setting' | 'review'>) {
  return review === null ? shown(setting) : { ...shown(setting), review };
}

/** Returns whether two settings are the same. */
function isSameSetting(one: RetentionSetting, other: RetentionSetting): boolean {
  return JSON.stringify(shown(one)) === JSON.stringify(shown(other));
}

const shown = (setting: RetentionSetting) => shownAs(RetentionSettings, setting, {});
