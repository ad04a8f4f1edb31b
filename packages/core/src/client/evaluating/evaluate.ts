/** Evaluates a procedure: runs baseline and candidate over cases until the evidence is enough. */
import type { ScopeInput } from '../../kernel/access/scope.js';
import type { AdmissionReceipt } from '../../domains/learning/procedure/evaluation-schema.js';
import type {
  Procedure,
  ProcedureRecord,
} from '../../domains/learning/procedure/procedure-schema.js';
import type { Agent } from '../agent.js';
import {
  absentAsUndefined,
  type RecordedRun,
  recordedRun,
  type RunIdentity,
  type RunResult,
} from './recorded-run.js';

/** What a run is told beside its case. */
export interface RunContext {
  readonly variant: 'baseline' | 'candidate';
  /** The instructions of the procedure; null for the baseline. */
  readonly instructions: string | null;
  readonly baselineRevision: string;
  /** Aborted once the result is of no use. */
  readonly signal: AbortSignal;
}

/** Settings of an evaluation. */
interface EvaluateOptions {
  /** Cases that run at the same time. They count in the order of the cases. Default 1. */
  readonly concurrency?: number;
  /** Name of the unit of costs in the recorded attempts. Default `unit`. */
  readonly accountingUnit?: string;
  readonly signal?: AbortSignal;
}

/** How far an evaluation came. */
interface EvaluationProgress {
  /** The procedure as it is now. */
  readonly record: ProcedureRecord;
  /** Cases that were submitted now. */
  readonly submitted: number;
  /** Cases that an earlier call had submitted. */
  readonly known: number;
}

/**
 * Runs baseline and candidate side by side over the cases, and submits each case as an evaluation
 * until the procedure is decided about or the cases end. Every run is recorded as an attempt, whose
 * id follows from procedure, case and variant. So the same call again goes on where an earlier one
 * ended, however it ended: no case counts twice, and no run with a result is repeated.
 *
 * The agent is the evaluator of the policy. It needs `memory_read`, `procedure_evaluate`,
 * `experience_read`, `experience_write` and `experience_report`. An error of `run` ends the
 * evaluation, as soon as the runs beside it have ended and are recorded, and the next call repeats
 * the run; a run that failed at its task has a utility of 0 instead. A case keeps its content:
 * another one under a known id is `idempotency_conflict`.
 *
 * @throws {RangeError} A utility is not a number from 0 to 1, or `concurrency` is less than 1.
 */
export async function evaluate<C extends { readonly id: string }>(
  agent: Agent,
  procedure: { readonly scope: ScopeInput; readonly id: string },
  cases: Iterable<C> | AsyncIterable<C>,
  run: (each: C, context: RunContext) => Promise<RunResult> | RunResult,
  { concurrency = 1, accountingUnit = 'unit', signal }: EvaluateOptions = {},
): Promise<EvaluationProgress> {
  if (!(concurrency >= 1)) throw new RangeError('concurrency has to be 1 or more.');
  const { scope, id } = procedure;
  const found = await agent.learning.procedure(scope, id, { signal });
  const { spec } = await agent.whoAmI({ signal });
  const ended = new AbortController();
  const signals = [ended.signal, ...(signal === undefined ? [] : [signal])];
  const evaluation: Evaluation<C> = {
    ...{ agent, scope, found, run, signal: AbortSignal.any(signals) },
    ...{ reporter: spec.subject_id, accountingUnit },
  };
  let [submitted, known] = [0, 0];
  let { state } = found.record;
  const ahead: Promise<Tried>[] = [];
  const submitFirst = async (): Promise<void> => {
    const tried = await ahead.shift();
    if (tried === undefined) return;
    if ('receipt' in tried) known += 1;
    else {
      ({ state_after: state } = await submit(evaluation, tried));
      submitted += 1;
    }
  };
  try {
    for await (const each of cases) {
      if (state !== 'Candidate') break;
      signal?.throwIfAborted();
      const tried = tryCase(evaluation, each);
      // Its error is reported in its turn, after those of the cases before it.
      tried.catch(() => undefined);
      ahead.push(tried);
      if (ahead.length >= concurrency) await submitFirst();
    }
    while (state === 'Candidate' && ahead.length > 0) await submitFirst();
  } finally {
    ended.abort();
    await Promise.allSettled(ahead);
  }
  const { record } = await agent.learning.procedure(scope, id, { signal });
  return { record, submitted, known };
}

/** What all cases of an evaluation have in common. */
interface Evaluation<C> {
  readonly agent: Agent;
  readonly scope: ScopeInput;
  readonly found: Procedure;
  readonly run: (each: C, context: RunContext) => Promise<RunResult> | RunResult;
  readonly signal: AbortSignal;
  readonly reporter: string;
  readonly accountingUnit: string;
}

/** Both runs of a case, or the receipt of a case that was submitted earlier. */
type Tried =
  | { readonly receipt: AdmissionReceipt }
  | {
      readonly caseId: string;
      readonly baseline: RecordedRun;
      readonly candidate: RecordedRun;
    };

async function tryCase<C extends { readonly id: string }>(
  { agent, scope, found, run, signal, reporter, accountingUnit }: Evaluation<C>,
  each: C,
): Promise<Tried> {
  const { id: procedureId, context_id: contextId } = found.receipt.request;
  const { instructions, baseline_revision: baselineRevision } = found.record.proposal;
  const receipt = await absentAsUndefined(agent.learning.admission(scope, procedureId, each.id));
  if (receipt !== undefined) return { receipt };
  const ran = (variant: RunContext['variant']): Promise<RecordedRun> => {
    const identity: RunIdentity = {
      ...{ scope, procedureId, contextId, variant, reporter, accountingUnit },
    };
    const told = variant === 'candidate' ? instructions : null;
    const context = { variant, instructions: told, baselineRevision, signal };
    return recordedRun(agent, identity, each, () => run(each, context));
  };
  const [baseline, candidate] = await bothRecorded(ran('baseline'), ran('candidate'));
  return { caseId: each.id, baseline, candidate };
}

/**
 * Returns what both runs came to. An error waits for the other run: once it is reported, the caller
 * may call again, and a run whose result was not recorded yet would be repeated.
 */
async function bothRecorded(
  ...runs: [Promise<RecordedRun>, Promise<RecordedRun>]
): Promise<[RecordedRun, RecordedRun]> {
  await Promise.allSettled(runs);
  return Promise.all(runs);
}

/** Submits a case. Everything in it is recorded, so a repeat is a replay. */
function submit<C>(
  { agent, scope, found }: Evaluation<C>,
  { caseId, baseline, candidate }: Exclude<Tried, { readonly receipt: AdmissionReceipt }>,
): Promise<AdmissionReceipt> {
  const { id, policy_id, context_id } = found.receipt.request;
  return agent.learning.evaluate(scope, id, {
    case_id: caseId,
    phase: 'Qualification',
    policy_id,
    context_id,
    baseline_revision: found.record.proposal.baseline_revision,
    evidence_ref: `experience:${candidate.attemptId}`,
    status: 'complete',
    baseline_utility: baseline.utility,
    candidate_utility: candidate.utility,
    candidate_cost_units: candidate.costUnits,
    candidate_latency_ms: candidate.latencyMs,
    detail: `baseline experience:${baseline.attemptId}`,
  });
}
