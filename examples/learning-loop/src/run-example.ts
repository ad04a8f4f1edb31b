/** The loop: propose, evaluate, select, monitor, fall back, and propose again. */
import { type AdmissionReceipt, evaluate, type Keep } from '@agentkeep/core';
import { followInstructions } from './follow-instructions.js';
import { type Invoice, invoices } from './invoices.js';
import { contextOf, openSchool, policy, type School, scope } from './open-school.js';

const POLICY_ID = 'better-than-first-amount';
const MAX_INSTRUCTION_BYTES = 1_000;

/** One step of the run. */
export interface Happening {
  readonly what: 'evaluated' | 'selected' | 'used';
  /** A procedure, or the baseline. */
  readonly who: string;
  readonly tells: string;
}

/** Runs the loop in a fresh keep and returns its steps in order. */
export async function runExample(keep: Keep): Promise<Happening[]> {
  const loop = new Loop(await openSchool(keep));
  await loop.begin('spring');
  await loop.qualify('largest', 'largest amount', invoices('total', 0, 32));
  await loop.select();
  await loop.qualify('labelled', 'after "Total"', invoices('total', 0, 32));
  await loop.select();
  await loop.use(invoices('total', 100, 8));
  // The supplier changes its layout. Only the results reveal it.
  await loop.use(invoices('amount due', 200, 8));
  await loop.begin('summer');
  const mixed = [...invoices('total', 300, 16), ...invoices('amount due', 400, 16)];
  await loop.qualify('both labels', 'after "Total"\nafter "Amount due"', mixed);
  await loop.select();
  await loop.use(invoices('amount due', 500, 8));
  return loop.happenings;
}

/** The running loop: the current context and the selected procedure. */
class Loop {
  readonly happenings: Happening[] = [];
  readonly #school: School;
  #contextId = '';
  #selected: string | undefined;
  #instructions = '';

  constructor(school: School) {
    this.#school = school;
  }

  /** Registers the policy, which is unchanged the second time, and a context. */
  async begin(contextId: string): Promise<void> {
    const { learning } = this.#school.registrar;
    this.#contextId = contextId;
    await learning.registerPolicy(POLICY_ID, policy);
    const { payload } = await learning.registerContext(contextId, contextOf(contextId));
    this.#instructions = payload.baseline_revision;
    this.#selected = undefined;
  }

  /** Proposes a procedure and evaluates it on samples until it is decided about. */
  async qualify(id: string, instructions: string, samples: readonly Invoice[]): Promise<void> {
    await this.#school.author.learning.propose(scope, {
      id,
      policy_id: POLICY_ID,
      context_id: this.#contextId,
      instructions,
      source_refs: [`idea: ${id}`],
    });
    const { baseline_revision: baseline } = contextOf(this.#contextId);
    const { record } = await evaluate(
      this.#school.judge,
      { scope, id },
      samples,
      (invoice, run) => {
        const reading = followInstructions(run.instructions ?? baseline, invoice.text);
        const utility = reading.totalCents === invoice.totalCents ? 1 : 0;
        return { utility, costUnits: reading.rulesTried, latencyMs: 1 };
      },
    );
    this.#tell('evaluated', id, `${record.state} after ${String(record.qualification_count)}`);
  }

  /** Selects what to follow next. */
  async select(): Promise<void> {
    const selection = await this.#school.worker.learning.select(scope, {
      policyId: POLICY_ID,
      contextId: this.#contextId,
      maxInstructionBytes: MAX_INSTRUCTION_BYTES,
    });
    if (selection.type === 'baseline') {
      this.#selected = undefined;
      this.#instructions = selection.baseline_revision;
      this.#tell('selected', 'baseline', selection.reason);
      return;
    }
    const { proposal, lower_improvement_bound: bound } = selection.procedure.record;
    this.#selected = proposal.id;
    this.#instructions = proposal.instructions;
    this.#tell('selected', proposal.id, `better by at least ${bound?.toFixed(2) ?? 'nothing'}`);
  }

  /**
   * Reads invoices with the selected procedure, reports each result, and selects again after a bad
   * one.
   */
  async use(work: readonly Invoice[]): Promise<void> {
    for (const invoice of work) {
      const { totalCents } = followInstructions(this.#instructions, invoice.text);
      const isRight = totalCents === invoice.totalCents;
      const verdict = `${invoice.id} ${isRight ? 'right' : 'wrong'}`;
      this.#tell('used', this.#selected ?? 'baseline', verdict);
      if (this.#selected === undefined) continue;
      const procedure = { id: this.#selected, instructions: this.#instructions };
      const { state_after: state } = await this.#watch(procedure, invoice);
      if (state === 'Active') continue;
      this.#tell('evaluated', procedure.id, state);
      await this.select();
    }
  }

  /** Reports the result of a procedure in use, beside that of the baseline. */
  async #watch(
    procedure: { readonly id: string; readonly instructions: string },
    invoice: Invoice,
  ): Promise<AdmissionReceipt> {
    const { baseline_revision } = contextOf(this.#contextId);
    const baseline = followInstructions(baseline_revision, invoice.text);
    const candidate = followInstructions(procedure.instructions, invoice.text);
    return this.#school.judge.learning.evaluate(scope, procedure.id, {
      case_id: invoice.id,
      phase: 'Monitoring',
      policy_id: POLICY_ID,
      context_id: this.#contextId,
      baseline_revision,
      evidence_ref: `invoice ${invoice.id}`,
      status: 'complete',
      baseline_utility: baseline.totalCents === invoice.totalCents ? 1 : 0,
      candidate_utility: candidate.totalCents === invoice.totalCents ? 1 : 0,
      candidate_cost_units: candidate.rulesTried,
      candidate_latency_ms: 1,
    });
  }

  #tell(what: Happening['what'], who: string, tells: string): void {
    this.happenings.push({ what, who, tells });
  }
}
