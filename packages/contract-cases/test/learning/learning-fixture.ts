/**
 * Fixture of the tests of learning: a learning policy, a context, an author, and the evaluator that
 * the policy names.
 */
import type { Answer } from '../harness/answer.js';
import { result } from '../harness/answer.js';
import type { Caller, Members } from '../harness/caller.js';
import { missionScope, scope, sharedScope } from '../harness/documents.js';
import { testCase, type Fixture } from '../harness/fixture.js';
import { context, definition, proposal, submission } from './learning-documents.js';

/** A scope that all callers of a test share. */
export const place = sharedScope;

/** Short forms of the learning calls of one caller. */
export class Learner {
  readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  policy(
    id: unknown,
    members: Members = {},
    algorithm?: string,
  ): Promise<Answer<'registerLearningPolicy'>> {
    const document = { contract_version: 1, id, definition: definition(members, algorithm) };
    return this.caller.call('registerLearningPolicy', { document });
  }

  context(id: unknown, members: Members = {}): Promise<Answer<'registerLearningContext'>> {
    const document = { contract_version: 1, id, context: context(members) };
    return this.caller.call('registerLearningContext', { document });
  }

  propose(members: Members = {}, at: unknown = place): Promise<Answer<'proposeProcedure'>> {
    const document = { contract_version: 1, scope: at, proposal: proposal(members) };
    return this.caller.call('proposeProcedure', { document });
  }

  read(procedure_id: unknown = 'c1', at: unknown = place): Promise<Answer<'readProcedure'>> {
    const document = { contract_version: 1, scope: at, procedure_id };
    return this.caller.call('readProcedure', { document });
  }

  /** Returns the current record of a procedure. */
  async record(procedure_id = 'c1') {
    return result(await this.read(procedure_id)).procedure.record;
  }

  evaluate(
    it: unknown,
    procedure_id: unknown = 'c1',
    at: unknown = place,
  ): Promise<Answer<'admitEvaluation'>> {
    const document = { contract_version: 1, scope: at, procedure_id, submission: it };
    return this.caller.call('admitEvaluation', { document });
  }

  /** Returns outcome and reason of an evaluation. */
  async admitted(it: unknown, procedure_id: unknown = 'c1'): Promise<string> {
    const { outcome, reason } = result(await this.evaluate(it, procedure_id)).receipt;
    return `${outcome} ${reason}`;
  }

  admission(
    case_id: unknown,
    procedure_id: unknown = 'c1',
    at: unknown = place,
  ): Promise<Answer<'readEvaluationAdmission'>> {
    const document = { contract_version: 1, scope: at, procedure_id, case_id };
    return this.caller.call('readEvaluationAdmission', { document });
  }

  select(members: Members = {}, at: unknown = place): Promise<Answer<'selectProcedure'>> {
    const wanted = { policy_id: 'pol', context_id: 'ctx', max_instruction_bytes: 65_536 };
    const document = { contract_version: 1, scope: at, ...wanted, ...members };
    return this.caller.call('selectProcedure', { document });
  }

  /** Returns the selection: the id of a procedure, or the baseline. */
  async selected(members: Members = {}): Promise<string> {
    const { selection } = result(await this.select(members));
    return selection.type === 'procedure'
      ? selection.procedure.record.proposal.id
      : `baseline ${selection.baseline_revision}`;
  }

  /** Submits perfect trials, each of its own case. */
  async qualify(trials: number, procedure_id = 'c1', members: Members = {}): Promise<void> {
    for (let at = 1; at <= trials; at += 1) {
      const name = `${procedure_id} trial ${String(at)}`;
      result(await this.evaluate(submission(name, members), procedure_id));
    }
  }
}

/** The callers of a learning test. */
export interface Class {
  readonly t: Fixture;
  /** Holds `policy_admin` only. */
  readonly registrar: Learner;
  /** Proposes and reads. */
  readonly author: Learner;
  /** The evaluator that the policy `pol` names; it may read too. */
  readonly judge: Learner;
}

const everywhere = [scope, sharedScope, missionScope];

/** Returns a caller with these capabilities in the usual scopes. */
export async function learner(
  t: Fixture,
  subject_id: string,
  capabilities: readonly string[],
): Promise<Learner> {
  return new Learner(await t.agent({ subject_id, capabilities, grants: everywhere }));
}

/** Issues the credentials, and registers the policy `pol` and the context `ctx`. */
export async function openClass(
  t: Fixture,
  policy: Members = {},
  algorithm?: string,
): Promise<Class> {
  const registrar = await learner(t, 'registrar', ['policy_admin']);
  const author = await learner(t, 'author', ['procedure_propose', 'memory_read']);
  const judge = await learner(t, 'judge', ['procedure_evaluate', 'memory_read']);
  result(await registrar.policy('pol', policy, algorithm));
  result(await registrar.context('ctx'));
  return { t, registrar, author, judge };
}

/** Declares a test of learning that runs on both transports. */
export function lesson(title: string, run: (parties: Class) => Promise<void>): void {
  testCase(title, async (t) => run(await openClass(t)));
}
