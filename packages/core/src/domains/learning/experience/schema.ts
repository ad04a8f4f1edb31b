/** Documents of experiences (docs/contract/experiences.md). */
import * as v from 'valibot';
import { Actor } from '../../../kernel/access/actor.js';
import { Scope } from '../../../kernel/access/scope.js';
import { HISTORY_LIMIT_MAX, INTEGER_MAX } from '../../../contract/limits.js';
import { closed, orNull } from '../../../contract/schema/document.js';
import { named } from '../../../contract/schema/json-schema.js';
import { hexDigest, ledgerId, reference, textId } from '../../../contract/schema/text.js';
import {
  answeredVersion,
  boundedInteger,
  contractVersion,
  integer,
} from '../../../contract/schema/number.js';
import { attemptOutcomes } from './outcome-policy.js';

const digest = hexDigest();
const outcome = v.picklist(attemptOutcomes);
const total = v.nullable(integer());

/** The writer of an attempt or an event. */
const ExperienceActor = v.pipe(closed(Actor.entries), named('ExperienceActor'));

/** A reference to outside data and the digest of its bytes. It is never fetched. */
const ExperienceEvidence = v.pipe(
  closed({ reference, sha256: digest }),
  named('ExperienceEvidence'),
);

/** The event of another attempt that an attempt follows. */
const ExperienceParent = v.pipe(
  closed({ attempt_id: ledgerId, event_id: ledgerId }),
  named('ExperienceParent'),
);

/** The announcement of an attempt; it names the reporter of its outcome. */
export const ExperienceRequest = v.pipe(
  closed({
    id: ledgerId,
    context_id: ledgerId,
    reporter_subject_id: textId(),
    accounting_unit: ledgerId,
    input: ExperienceEvidence,
    parent: orNull(ExperienceParent),
  }),
  v.check(({ id, parent }) => parent?.attempt_id !== id, 'another attempt as parent'),
  named('ExperienceRequest'),
);
export type ExperienceRequest = v.InferOutput<typeof ExperienceRequest>;
/** The input form of {@link ExperienceRequest}; the parent may be absent. */
export type ExperienceRequestInput = v.InferInput<typeof ExperienceRequest>;

/** The receipt of an announcement; every replay returns it again. */
export const ExperienceReceipt = v.pipe(
  closed({
    schema_version: v.literal(1),
    tenant: v.string(),
    namespace: v.string(),
    request: ExperienceRequest,
    context_digest: digest,
    parent_event_digest: v.nullable(digest),
    actor: ExperienceActor,
    recorded_at_millis: integer(),
    receipt_digest: digest,
  }),
  named('ExperienceReceipt'),
);
export type ExperienceReceipt = v.InferOutput<typeof ExperienceReceipt>;

/** The state of an attempt, now or after an event. */
export const Experience = v.pipe(
  closed({
    receipt: ExperienceReceipt,
    revision: integer(1),
    outcome: v.nullable(outcome),
    last_event_id: v.nullable(ledgerId),
    reported_cost_units: total,
    reported_latency_ms: total,
    observed_cost_units: total,
    observed_latency_ms: total,
  }),
  named('Experience'),
);
export type Experience = v.InferOutput<typeof Experience>;

/** One observation of an attempt, with its own id. */
export const ExperienceCommand = v.pipe(
  closed({
    event_id: ledgerId,
    expected_revision: boundedInteger(1, INTEGER_MAX - 1),
    context_digest: digest,
    outcome,
    evidence: ExperienceEvidence,
    cost_units: orNull(integer()),
    latency_ms: orNull(integer()),
  }),
  named('ExperienceCommand'),
);
export type ExperienceCommand = v.InferOutput<typeof ExperienceCommand>;
/** The input form of a command; unknown totals may be absent. */
export type ExperienceCommandInput = v.InferInput<typeof ExperienceCommand>;

/** An accepted observation, with the resulting state. */
export const ExperienceEvent = v.pipe(
  closed({
    schema_version: v.literal(1),
    command: ExperienceCommand,
    actor: ExperienceActor,
    record: Experience,
    recorded_at_millis: integer(),
    event_digest: digest,
  }),
  named('ExperienceEvent'),
);
export type ExperienceEvent = v.InferOutput<typeof ExperienceEvent>;

/** Body that registers an attempt. */
export const ExperienceCreate = v.pipe(
  closed({ contract_version: contractVersion(), scope: Scope, request: ExperienceRequest }),
  named('ExperienceCreate'),
);

/** Answer to a registration. */
export const ExperienceReceiptResponse = v.pipe(
  closed({ contract_version: answeredVersion, receipt: ExperienceReceipt }),
  named('ExperienceReceiptResponse'),
);

/** Body of a read of an attempt. */
export const ExperienceRead = v.pipe(
  closed({ contract_version: contractVersion(), scope: Scope, attempt_id: ledgerId }),
  named('ExperienceRead'),
);

/** Answer with the state of an attempt. */
export const ExperienceResponse = v.pipe(
  closed({ contract_version: answeredVersion, experience: Experience }),
  named('ExperienceResponse'),
);

/** Body of an observation. */
export const ExperienceCommandRequest = v.pipe(
  closed({
    contract_version: contractVersion(),
    scope: Scope,
    attempt_id: ledgerId,
    command: ExperienceCommand,
  }),
  named('ExperienceCommandRequest'),
);

/** Body of a read of an event. */
export const ExperienceEventRead = v.pipe(
  closed({
    contract_version: contractVersion(),
    scope: Scope,
    attempt_id: ledgerId,
    event_id: ledgerId,
  }),
  named('ExperienceEventRead'),
);

/** Answer with an event. */
export const ExperienceEventResponse = v.pipe(
  closed({ contract_version: answeredVersion, event: ExperienceEvent }),
  named('ExperienceEventResponse'),
);

/** The position of a traversal, and the event at which it is frozen. */
export const ExperienceHistoryCursor = v.pipe(
  closed({
    receipt_digest: digest,
    through_event_id: orNull(ledgerId),
    after_event_id: ledgerId,
  }),
  named('ExperienceHistoryCursor'),
);
export type ExperienceHistoryCursor = v.InferOutput<typeof ExperienceHistoryCursor>;

/** The requested page of a history. */
export const ExperienceHistoryQuery = v.pipe(
  closed({ limit: boundedInteger(1, HISTORY_LIMIT_MAX), cursor: orNull(ExperienceHistoryCursor) }),
  named('ExperienceHistoryQuery'),
);
export type ExperienceHistoryQuery = v.InferOutput<typeof ExperienceHistoryQuery>;

/** Body of a read of a history. */
export const ExperienceHistoryRequest = v.pipe(
  closed({
    contract_version: contractVersion(),
    scope: Scope,
    attempt_id: ledgerId,
    query: ExperienceHistoryQuery,
  }),
  named('ExperienceHistoryRequest'),
);

/** A page of a history. */
export const ExperienceHistoryPage = v.pipe(
  closed({
    receipt_digest: digest,
    through_revision: integer(1),
    events: v.pipe(v.array(ExperienceEvent), v.maxLength(HISTORY_LIMIT_MAX)),
    scanned_events: integer(0, HISTORY_LIMIT_MAX),
    next_cursor: v.nullable(ExperienceHistoryCursor),
    complete: v.boolean(),
  }),
  named('ExperienceHistoryPage'),
);
export type ExperienceHistoryPage = v.InferOutput<typeof ExperienceHistoryPage>;

/** Answer with a page of a history. */
export const ExperienceHistoryResponse = v.pipe(
  closed({ contract_version: answeredVersion, page: ExperienceHistoryPage }),
  named('ExperienceHistoryResponse'),
);
