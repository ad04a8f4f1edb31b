/** The operations on the retention of a scope. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { exampleVersion, inExampleScope } from '../../../contract/example-values.js';
import type { Scope } from '../../../kernel/access/scope.js';
import { refuseErased } from '../../../kernel/erased/erasure-mark-store.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { inputFirstChecks } from '../../../kernel/operation/orders-of-checks.js';
import { Port } from '../../../kernel/ports/port.js';
import type { WriteTx } from '../../../storage/store/store.js';
import { RetentionParameters, RetentionRequest, RetentionResponse } from './retention-schema.js';
import { findRetention, putRetention, type StoredRetention } from './retention-store.js';
import {
  isSameSetting,
  retentionChanged,
  retentionKeyOf,
  type RetentionTarget,
  settingOf,
  showRetention,
  UNSET,
} from './show-retention.js';
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
