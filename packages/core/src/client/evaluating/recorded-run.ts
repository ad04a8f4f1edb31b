/** Runs of one variant on one case, recorded as attempts, so that no run is repeated. */
import type { ScopeInput } from '../../kernel/access/scope.js';
import { AgentkeepError, hasCode } from '../../contract/errors/agentkeep-error.js';
import type { ExperienceEvent } from '../../domains/learning/experience/schema.js';
import type { Agent } from '../agent.js';

/** What a run came to. */
export interface RunResult {
  /** How good the outcome is, 0 to 1. */
  readonly utility: number;
  /** Cost in the units of the policy, a whole number. Default 0. */
  readonly costUnits?: number;
  /** Whole milliseconds. Default: measured. */
  readonly latencyMs?: number;
  /** Where to find what happened, such as the path of a transcript; up to about 1,000 bytes. */
  readonly evidence?: string;
}

/** The run that an attempt stands for. */
export interface RunIdentity {
  readonly scope: ScopeInput;
  readonly procedureId: string;
  readonly contextId: string;
  readonly variant: 'baseline' | 'candidate';
  readonly reporter: string;
  readonly accountingUnit: string;
}

/** A run that is recorded. */
export interface RecordedRun {
  readonly attemptId: string;
  readonly utility: number;
  readonly costUnits: number | null;
  readonly latencyMs: number | null;
}

const RESULT = 'result';
/** Begins the reference of an observation that holds its own evidence. */
const DATA = 'data:application/json,';

/**
 * Runs one variant on a case and records the result, or returns the result that is recorded
 * already, here or by another process. An error of `run` leaves an attempt without a result.
 *
 * @throws {RangeError} The utility of the result is not a number from 0 to 1.
 */
export async function recordedRun(
  { experiences }: Agent,
  { scope, procedureId, contextId, variant, reporter, accountingUnit }: RunIdentity,
  each: { readonly id: string },
  run: () => Promise<RunResult> | RunResult,
): Promise<RecordedRun> {
  const id = await digestOf(['agentkeep evaluation-attempt 1', procedureId, each.id, variant]);
  const known = await absentAsUndefined(experiences.readEvent(scope, id, RESULT));
  if (known !== undefined) return runOf(id, known);
  const receipt = await experiences.register(scope, {
    id,
    context_id: contextId,
    reporter_subject_id: reporter,
    accounting_unit: accountingUnit,
    input: { reference: `case:${each.id}`, sha256: await digestOf(each) },
  });
  const begun = performance.now();
  const result = await run();
  const { utility, evidence, costUnits = 0 } = result;
  if (!(utility >= 0 && utility <= 1)) {
    throw new RangeError(`The utility of a run has to be a number from 0 to 1, not ${utility}.`);
  }
  const data = { utility, evidence };
  const observed = experiences.observe(scope, id, {
    event_id: RESULT,
    expected_revision: 1,
    context_digest: receipt.context_digest,
    outcome: 'succeeded',
    evidence: {
      reference: DATA + encodeURIComponent(JSON.stringify(data)),
      sha256: await digestOf(data),
    },
    cost_units: costUnits,
    latency_ms: result.latencyMs ?? Math.round(performance.now() - begun),
  });
  return runOf(
    id,
    await observed.catch(async (error: unknown) => {
      // Another process has recorded its run of the same case first.
      if (!isConflict(error)) throw error;
      return experiences.readEvent(scope, id, RESULT);
    }),
  );
}

/** Returns `undefined` where there is no such record. */
export async function absentAsUndefined<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (hasCode(error, 'record_not_found')) return undefined;
    throw error;
  }
}

function runOf(attemptId: string, { command }: ExperienceEvent): RecordedRun {
  const { evidence, cost_units: costUnits, latency_ms: latencyMs } = command;
  const text = decodeURIComponent(evidence.reference.slice(DATA.length));
  const { utility } = JSON.parse(text) as { readonly utility: number };
  return { attemptId, utility, costUnits, latencyMs };
}

function isConflict(error: unknown): boolean {
  return error instanceof AgentkeepError && error.kind === 'conflict';
}

/** Returns the SHA-256 of a value as JSON, by what browsers have too. */
async function digestOf(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
