/** Documents of developments (docs/contract/tools.md). */
import * as v from 'valibot';
import { Scope } from '../../../kernel/access/scope.js';
import { DEVELOPMENT_TEXT_BYTES_MAX } from '../../../contract/limits.js';
import { closed, orNull } from '../../../contract/schema/document.js';
import { named } from '../../../contract/schema/json-schema.js';
import { hexDigest, ledgerId, reference, textOf } from '../../../contract/schema/text.js';
import { answeredVersion, contractVersion, integer } from '../../../contract/schema/number.js';
import { developmentReasons, developmentStates, reportOutcomes } from './development-policy.js';
import { isWholeRepair, repairEntries, ToolActor, ToolArtifactProposal } from './schema.js';

/** A request to an executor. */
export const ToolDevelopmentRequest = v.pipe(
  closed({
    id: ledgerId,
    executor_id: ledgerId,
    objective: textOf(DEVELOPMENT_TEXT_BYTES_MAX),
    ...repairEntries,
  }),
  v.check((it) => isWholeRepair(it), 'both members of a repair, or none'),
  named('ToolDevelopmentRequest'),
);
export type ToolDevelopmentRequest = v.InferOutput<typeof ToolDevelopmentRequest>;
/** The input form of a request; the repair may be absent. */
export type ToolDevelopmentRequestInput = v.InferInput<typeof ToolDevelopmentRequest>;

/** The receipt of a request; every replay returns it again. */
export const ToolDevelopmentReceipt = v.pipe(
  closed({
    schema_version: v.literal(1),
    tenant: v.string(),
    namespace: v.string(),
    request: ToolDevelopmentRequest,
    request_digest: hexDigest(),
    executor_profile_digest: hexDigest(),
    actor: ToolActor,
    recorded_at_millis: integer(),
  }),
  named('ToolDevelopmentReceipt'),
);
export type ToolDevelopmentReceipt = v.InferOutput<typeof ToolDevelopmentReceipt>;

const total = v.nullable(integer());

/** The state of a development, now or after an event. */
export const ToolDevelopment = v.pipe(
  closed({
    receipt: ToolDevelopmentReceipt,
    revision: integer(1),
    state: v.picklist(developmentStates),
    reason: v.picklist(developmentReasons),
    last_event_id: v.nullable(ledgerId),
    artifact_id: v.nullable(ledgerId),
    artifact_digest: v.nullable(hexDigest()),
    cost_units: total,
    latency_ms: total,
    observed_cost_units: total,
    observed_latency_ms: total,
  }),
  named('ToolDevelopment'),
);
export type ToolDevelopment = v.InferOutput<typeof ToolDevelopment>;

/** A worker's report of its work. */
export const ToolDevelopmentReport = v.pipe(
  closed({
    // Any other text is a mismatch, like a wrong digest, not an invalid document.
    executor_profile_digest: v.string(),
    outcome: v.picklist(reportOutcomes),
    evidence_ref: reference,
    detail: orNull(textOf(DEVELOPMENT_TEXT_BYTES_MAX)),
    cost_units: orNull(integer()),
    latency_ms: orNull(integer()),
    artifact: orNull(ToolArtifactProposal),
  }),
  v.check(
    ({ outcome, artifact }) => (outcome === 'succeeded') === (artifact !== null),
    'an artifact if and only if the outcome is succeeded',
  ),
  named('ToolDevelopmentReport'),
);
export type ToolDevelopmentReport = v.InferOutput<typeof ToolDevelopmentReport>;
/** The input form of a report; optional members may be absent. */
export type ToolDevelopmentReportInput = v.InferInput<typeof ToolDevelopmentReport>;

/** The action of a command: the requester cancels, the worker reports. */
export const ToolDevelopmentAction = v.pipe(
  v.variant('type', [
    closed({ type: v.literal('request_cancellation'), reason: reference }),
    closed({ type: v.literal('report'), report: ToolDevelopmentReport }),
  ]),
  named('ToolDevelopmentAction'),
);
export type ToolDevelopmentAction = v.InferOutput<typeof ToolDevelopmentAction>;

/** One change of a development, with its own id. */
export const ToolDevelopmentCommand = v.pipe(
  closed({ event_id: ledgerId, expected_revision: integer(), action: ToolDevelopmentAction }),
  named('ToolDevelopmentCommand'),
);
export type ToolDevelopmentCommand = v.InferOutput<typeof ToolDevelopmentCommand>;

/** An accepted command, with the resulting state. */
export const ToolDevelopmentEvent = v.pipe(
  closed({
    schema_version: v.literal(1),
    command: ToolDevelopmentCommand,
    actor: ToolActor,
    record: ToolDevelopment,
    recorded_at_millis: integer(),
  }),
  named('ToolDevelopmentEvent'),
);
export type ToolDevelopmentEvent = v.InferOutput<typeof ToolDevelopmentEvent>;

/** Body of a development request. */
export const ToolDevelopmentCreate = v.pipe(
  closed({ contract_version: contractVersion(), scope: Scope, request: ToolDevelopmentRequest }),
  named('ToolDevelopmentCreate'),
);

/** Answer to a request. */
export const ToolDevelopmentReceiptResponse = v.pipe(
  closed({ contract_version: answeredVersion, receipt: ToolDevelopmentReceipt }),
  named('ToolDevelopmentReceiptResponse'),
);

/** Body of a read of a development. */
export const ToolDevelopmentRead = v.pipe(
  closed({ contract_version: contractVersion(), scope: Scope, request_id: ledgerId }),
  named('ToolDevelopmentRead'),
);

/** Answer with the state of a development. */
export const ToolDevelopmentResponse = v.pipe(
  closed({ contract_version: answeredVersion, development: ToolDevelopment }),
  named('ToolDevelopmentResponse'),
);

/** Body of a command. */
export const ToolCommandRequest = v.pipe(
  closed({
    contract_version: contractVersion(),
    scope: Scope,
    request_id: ledgerId,
    command: ToolDevelopmentCommand,
  }),
  named('ToolCommandRequest'),
);

/** Body of a read of an event. */
export const ToolEventRead = v.pipe(
  closed({
    contract_version: contractVersion(),
    scope: Scope,
    request_id: ledgerId,
    event_id: ledgerId,
  }),
  named('ToolEventRead'),
);

/** Answer with an event. */
export const ToolEventResponse = v.pipe(
  closed({ contract_version: answeredVersion, event: ToolDevelopmentEvent }),
  named('ToolEventResponse'),
);
