/** Attempts: their first state, the effect of an observation, and their digests. */
import type { Actor } from '../../../kernel/access/actor.js';
import { type Namespace, shownNamespace } from '../../../kernel/access/namespace.js';
import { type Consumption, isBelowObserved, observedAfter } from '../consumption-policy.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { documentDigest } from '../../../contract/schema/document-digest.js';
import { mayFollow } from './outcome-policy.js';
import type {
  Experience,
  ExperienceCommand,
  ExperienceEvent,
  ExperienceReceipt,
  ExperienceRequest,
} from './schema.js';

/** The writer and the time of a write. */
export interface Observing {
  readonly actor: Actor;
  readonly nowMs: number;
}

/** The digests that an attempt pins when it is registered. */
export interface PinnedDigests {
  readonly contextDigest: string;
  readonly parentEventDigest: string | null;
}

/** Makes a new attempt without events. */
export function newAttempt(
  namespace: Namespace,
  request: ExperienceRequest,
  made: Observing & PinnedDigests,
): Experience {
  const content: Omit<ExperienceReceipt, 'receipt_digest'> = {
    schema_version: 1,
    tenant: namespace.tenantId,
    namespace: shownNamespace(namespace),
    request,
    context_digest: made.contextDigest,
    parent_event_digest: made.parentEventDigest,
    actor: made.actor,
    recorded_at_millis: made.nowMs,
  };
  return {
    receipt: { ...content, receipt_digest: receiptDigest(content) },
    revision: 1,
    outcome: null,
    last_event_id: null,
    reported_cost_units: null,
    reported_latency_ms: null,
    observed_cost_units: null,
    observed_latency_ms: null,
  };
}

/**
 * Makes the event of an observation of the current revision.
 *
 * @throws {AgentkeepError} `idempotency_conflict` for a change of a final outcome or another
 * context, `invalid_request` for a total below the observed one.
 */
export function observe(
  attempt: Experience,
  command: ExperienceCommand,
  { actor, nowMs }: Observing,
): ExperienceEvent {
  const isFitting =
    mayFollow(attempt.outcome, command.outcome) &&
    command.context_digest === attempt.receipt.context_digest;
  if (!isFitting) throw new AgentkeepError('idempotency_conflict');
  const reported = { costUnits: command.cost_units, latencyMs: command.latency_ms };
  const before = observedOf(attempt);
  if (isBelowObserved(reported, before)) {
    const expected = 'totals that are not below those observed before';
    throw new AgentkeepError('invalid_request', { members: [{ path: 'command', expected }] });
  }
  const observed = observedAfter(reported, before);
  const content: Omit<ExperienceEvent, 'event_digest'> = {
    schema_version: 1,
    command,
    actor,
    record: {
      receipt: attempt.receipt,
      revision: attempt.revision + 1,
      outcome: command.outcome,
      last_event_id: command.event_id,
      reported_cost_units: reported.costUnits,
      reported_latency_ms: reported.latencyMs,
      observed_cost_units: observed.costUnits,
      observed_latency_ms: observed.latencyMs,
    },
    recorded_at_millis: nowMs,
  };
  return { ...content, event_digest: eventDigest(content) };
}

/** Whether the digest of a stored attempt matches its receipt. */
export function isAttemptSound({ receipt }: Experience): boolean {
  const { receipt_digest: digest, ...content } = receipt;
  return digest === receiptDigest(content);
}

/** Whether the digest of a stored event matches its content. */
export function isEventSound(event: ExperienceEvent): boolean {
  const { event_digest: digest, ...content } = event;
  return digest === eventDigest(content);
}

function observedOf(attempt: Experience): Consumption {
  const { observed_cost_units: costUnits, observed_latency_ms: latencyMs } = attempt;
  return { costUnits, latencyMs };
}

function receiptDigest(content: Omit<ExperienceReceipt, 'receipt_digest'>): string {
  return documentDigest('agentkeep experience-receipt 1', content);
}

function eventDigest(content: Omit<ExperienceEvent, 'event_digest'>): string {
  return documentDigest('agentkeep experience-event 1', content);
}
