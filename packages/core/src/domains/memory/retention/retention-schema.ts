/** Schemas of the documents of retention (docs/contract/history.md#his-30). */
import * as v from 'valibot';
import { Scope, Visibility } from '../../../kernel/access/scope.js';
import {
  LIFETIME_SECONDS_MAX,
  READ_DAYS_MAX,
  RETENTION_DAYS_MAX,
  REVISIONS_KEPT_MAX,
} from '../../../contract/limits.js';
import { closed, orNull } from '../../../contract/schema/document.js';
import { named } from '../../../contract/schema/json-schema.js';
import {
  answeredVersion,
  boundedInteger,
  contractVersion,
  integer,
} from '../../../contract/schema/number.js';
import { textId } from '../../../contract/schema/text.js';

const days = () => boundedInteger(0, RETENTION_DAYS_MAX);

/** A setting. Null leaves a member as it is without the setting. */
export const RetentionSettings = v.pipe(
  closed({
    /** Most superseded revisions of a record. */
    revisions_max: orNull(boundedInteger(0, REVISIONS_KEPT_MAX)),
    /** Days after it was superseded that a revision goes. */
    revision_days: orNull(days()),
    /** Days that the content of a deleted record is kept. */
    deleted_days: orNull(days()),
    /** Lifetime of new records that state no end of their own. */
    lifetime_seconds: orNull(boundedInteger(1, LIFETIME_SECONDS_MAX)),
    /** Days after its end that an expired record goes. */
    expired_days: orNull(days()),
    /** Days that counts of reads are kept; 0 counts none. */
    read_days: orNull(boundedInteger(0, READ_DAYS_MAX)),
  }),
  named('RetentionSettings'),
);
export type RetentionSettings = v.InferOutput<typeof RetentionSettings>;
/** A setting as callers write it. */
export type RetentionInput = v.InferInput<typeof RetentionSettings>;

/** Whether commands in shared scopes wait for review (docs/contract/review.md#rev-19). */
const Review = v.pipe(v.picklist(['required', 'none']), named('ReviewSetting'));

/** The body that sets the retention of the tenant, or of a scope. */
export const RetentionRequest = v.pipe(
  closed({
    contract_version: contractVersion(),
    scope: orNull(Scope),
    /** 0 where nothing was set before. */
    expected_revision: integer(),
    retention: RetentionSettings,
    /** Absent leaves it as it is. */
    review: v.optional(Review),
  }),
  v.check(
    ({ scope, review }) => review === undefined || scope?.visibility !== 'private',
    'no review of a private scope',
  ),
  named('RetentionRequest'),
);

/** The query parameters that name a scope, or the whole tenant. */
export const RetentionParameters = v.pipe(
  closed({
    contract_version: contractVersion(),
    project_id: v.optional(textId()),
    mission_id: v.optional(textId()),
    agent_id: v.optional(textId()),
    visibility: v.optional(Visibility),
  }),
  v.check(({ project_id, mission_id, agent_id, visibility }) => {
    const given = [project_id, agent_id, visibility].filter((each) => each !== undefined).length;
    return given === 3 || (given === 0 && mission_id === undefined);
  }, 'all members of a scope, or none'),
);
export type RetentionParameters = v.InferOutput<typeof RetentionParameters>;

/** What holds: the setting of a scope with that of the tenant, and the defaults. */
export const EffectiveRetention = v.pipe(
  closed({
    revisions_max: integer(0, REVISIONS_KEPT_MAX),
    revision_days: integer(0, RETENTION_DAYS_MAX),
    deleted_days: integer(0, RETENTION_DAYS_MAX),
    /** Null for no end. */
    lifetime_seconds: v.nullable(integer(1, LIFETIME_SECONDS_MAX)),
    /** Null for never. */
    expired_days: v.nullable(integer(0, RETENTION_DAYS_MAX)),
    /** 0 where reads are not counted. */
    read_days: integer(0, READ_DAYS_MAX),
  }),
  named('EffectiveRetention'),
);

/** The answer that shows a setting. */
export const RetentionResponse = v.pipe(
  closed({
    contract_version: answeredVersion,
    /** Null for the setting of the whole tenant. */
    scope: v.nullable(Scope),
    /** 0 where nothing was set. */
    revision: integer(),
    retention: RetentionSettings,
    effective: EffectiveRetention,
    /** What is set here. */
    review: Review,
    /** What holds: required if the tenant or the scope requires it. */
    effective_review: Review,
  }),
  named('RetentionResponse'),
);
export type RetentionResponse = v.InferOutput<typeof RetentionResponse>;
