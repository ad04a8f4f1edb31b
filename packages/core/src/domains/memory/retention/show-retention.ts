/** Retention as answers and events show it, and as requests state it. */
import { shownAs, storedAs } from '../../../contract/schema/member-names.js';
import { scopeDigest } from '../../../kernel/access/namespace.js';
import type { Scope } from '../../../kernel/access/scope.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import type { EventSubject } from '../../../kernel/audit/call-events.js';
import type { ReadTx } from '../../../storage/store/store.js';
import { narrowed, type RetentionSetting, tenantRetention } from './retention-policy.js';
import {
  EffectiveRetention,
  type RetentionResponse,
  RetentionSettings,
} from './retention-schema.js';
import { findRetention, type StoredRetention } from './retention-store.js';

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
export function retentionKeyOf({ tenantId, scope }: RetentionTarget) {
  if (scope === null) return { tenantId, digest: null };
  const { project_id, mission_id, agent_id, visibility } = scope;
  return { tenantId, digest: scopeDigest([project_id, mission_id, agent_id, visibility, null]) };
}

/** Returns the setting that a request states. */
export function settingOf(document: RetentionSettings): RetentionSetting {
  return storedAs(document);
}

/** Returns the answer with a setting and the retention that follows from it. */
export function showRetention(tx: ReadTx, target: RetentionTarget): RetentionResponse {
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
export function retentionChanged(
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
export function isSameSetting(one: RetentionSetting, other: RetentionSetting): boolean {
  return JSON.stringify(shown(one)) === JSON.stringify(shown(other));
}

const shown = (setting: RetentionSetting) => shownAs(RetentionSettings, setting, {});
