/**
 * Policies, contexts, procedures, their evaluation and selection (docs/contract/learning.md).
 */
import type { EvaluationSubmissionInput, ScopeInput } from '@agentkeep/core';
import { evaluationContext, evaluationPolicy } from '../../../evaluation.js';
import { Refusal } from '../../../models/outcome.js';
import { found, inScope, namespaceOf, original, register } from '../../ledger.js';
import type { Play } from '../../play.js';
import { asTenant } from '../../../models/principal.js';
import {
  boundOf,
  judgeEvaluation,
  newProcedure,
  type Procedure,
} from '../../../models/procedure.js';
import type { Rule } from '../../rule.js';
import { IDS, SCOPES, VERSION } from '../../vocabulary.js';
import type { World } from '../../../models/world.js';
import { may } from '../memory.js';

const EVALUATOR = 'bob';
/** The id whose policy and context have another evaluation contract. */
const OTHER = 'three';
/** The id whose policy bets, admits candidates together and suspends by evidence. */
const BETTING = 'two';
const bets = { qualification_trials: 4, max_candidates: 2, false_suspension_trials: 10 };

function contractOf(id: string): string {
  return id === OTHER ? 'other' : 'contract';
}

function definitionOf(id: string, isChanged: boolean) {
  // Two perfect trials are just enough. Bets may take up to four.
  const parameters = {
    ...(id === BETTING ? bets : {}),
    confidence_delta: 0.45,
    min_improvement: id === BETTING ? 0 : 0.05,
    min_candidate_utility: 0.5,
    max_cost_units: isChanged ? 11 : 10,
    max_latency_ms: 10,
    max_failure_streak: 2,
    evaluator_id: EVALUATOR,
    evaluation_contract: contractOf(id),
  };
  return evaluationPolicy(parameters, id === BETTING ? 'betting_e_process_v1' : undefined);
}

const BETS = definitionOf(BETTING, false).parameters;

function contextOf(id: string, isChanged: boolean) {
  return evaluationContext({
    task: isChanged ? 'other' : 'task',
    baseline_revision: 'b1',
    evaluation_contract: contractOf(id),
    tools: { search: '1' },
  });
}

const policy: Rule = {
  name: 'register a policy',
  weight: 2,
  run: async (play) => {
    const { dice, world } = play;
    const id = dice.mostly(IDS);
    const definition = definitionOf(id, dice.isLucky(10));
    const parts = { document: { ...VERSION, id, definition } };
    await play.ask(
      'registerLearningPolicy',
      play.caller(may('policy_admin')),
      parts,
      (made, who) => {
        const { tenant_id: place, spec } = asTenant(who, 'policy_admin');
        const entry = { kind: 'policy', place, id };
        const known = original(world, entry, { request: definition });
        if (known !== undefined) return known;
        register(world, entry, { request: definition, subject: spec.subject_id, answer: made });
        return { entry: { id, tenant: place, payload: definition } };
      },
    );
  },
};

const context: Rule = {
  name: 'register a context',
  weight: 2,
  run: async (play) => {
    const { dice, world } = play;
    const id = dice.mostly(IDS);
    const request = contextOf(id, dice.isLucky(10));
    const parts = { document: { ...VERSION, id, context: request } };
    await play.ask(
      'registerLearningContext',
      play.caller(may('policy_admin')),
      parts,
      (made, who) => {
        const { tenant_id: place, spec } = asTenant(who, 'policy_admin');
        const entry = { kind: 'context', place, id };
        const known = original(world, entry, { request });
        if (known !== undefined) return known;
        register(world, entry, { request, subject: spec.subject_id, answer: made });
        return { entry: { id, tenant: place, payload: request } };
      },
    );
  },
};

function get(name: 'getLearningPolicy' | 'getLearningContext', kind: string): Rule {
  return {
    name,
    weight: 1,
    run: async (play) => {
      const id = play.dice.mostly(IDS);
      await play.ask(name, play.caller(may('policy_admin')), { id }, (_made, who) => {
        const { tenant_id: place } = asTenant(who, 'policy_admin');
        return found(play.world, { kind, place, id }).answer;
      });
    },
  };
}

/** Requires a policy and a context that exist and fit each other. */
function requireFit(world: World, place: string, policyId: string, contextId: string): void {
  found(world, { kind: 'policy', place, id: policyId });
  found(world, { kind: 'context', place, id: contextId });
  if (contractOf(policyId) !== contractOf(contextId)) throw new Refusal('invalid_request');
}

const propose: Rule = {
  name: 'propose a procedure',
  weight: 2,
  run: async (play) => {
    const { dice, world } = play;
    const scope = dice.mostly(SCOPES);
    const proposal = {
      id: dice.mostly(IDS),
      policy_id: dice.mostly(IDS),
      context_id: dice.mostly(IDS),
      instructions: 'Look twice.',
      source_refs: ['trace'],
    };
    const parts = { document: { ...VERSION, scope, proposal } };
    const caller = play.caller(may('procedure_propose'));
    await play.ask('proposeProcedure', caller, parts, (made, who) => {
      const credential = inScope(play, who, 'procedure_propose', scope);
      const entry = { kind: 'procedure', place: namespaceOf(credential, scope), id: proposal.id };
      const known = original(world, entry, { request: proposal });
      if (known !== undefined) return known;
      const { policy_id, context_id } = proposal;
      requireFit(world, credential.tenant_id, policy_id, context_id);
      const family = familyOf(world, entry.place, proposal);
      if (policy_id === BETTING && family.length >= bets.max_candidates) {
        throw new Refusal('invalid_request');
      }
      const { subject_id: subject } = credential.spec;
      register(world, entry, { request: proposal, subject, answer: made });
      world.procedures.set(JSON.stringify(entry), newProcedure(proposal));
      return { receipt: { request: proposal, record: { state: 'Candidate', decisions: [] } } };
    });
  },
};

/** What the model knows of a procedure. */
export function shown(procedure: Procedure, receipt: unknown) {
  const { proposal, bets: trials, ...record } = procedure;
  const { state, qualifications, violations, monitorings, streak } = record;
  return {
    receipt,
    record: {
      proposal: { id: proposal.id },
      state,
      qualification_count: qualifications,
      budget_violations: violations,
      monitoring_count: monitorings,
      failure_streak: streak,
      ...(trials.length > 0 ? { betting: { lower_bound: boundOf(procedure, BETS) } } : {}),
    },
  };
}

/** The procedures of a scope with the policy and the context of a proposal. */
function familyOf(
  world: World,
  place: string,
  { policy_id, context_id }: Pick<Procedure['proposal'], 'policy_id' | 'context_id'>,
): Procedure[] {
  return [...world.procedures].flatMap(([entry, procedure]) => {
    const { proposal } = procedure;
    const isOfFamily = proposal.policy_id === policy_id && proposal.context_id === context_id;
    const at = JSON.parse(entry) as { readonly place: string };
    return isOfFamily && at.place === place ? [procedure] : [];
  });
}

/** A procedure with its receipt, or a refusal. */
export function procedureIn(world: World, place: string, id: string) {
  const entry = { kind: 'procedure', place, id };
  const { receipt } = found(world, entry).answer as { receipt: unknown };
  return { procedure: world.procedures.get(JSON.stringify(entry))!, receipt };
}

const read: Rule = {
  name: 'read a procedure',
  weight: 1,
  run: async (play) => {
    const { dice, world } = play;
    const [scope, procedure_id] = [dice.mostly(SCOPES), dice.mostly(IDS)];
    const parts = { document: { ...VERSION, scope, procedure_id } };
    await play.ask('readProcedure', play.caller(may('memory_read')), parts, (_made, who) => {
      const place = namespaceOf(inScope(play, who, 'memory_read', scope), scope);
      const { procedure, receipt } = procedureIn(world, place, procedure_id);
      return { procedure: shown(procedure, receipt) };
    });
  },
};

function submissionOf({ dice, world }: Play, procedureId: string): EvaluationSubmissionInput {
  const like = [...world.procedures.values()].find(({ proposal }) => proposal.id === procedureId);
  const { policy_id = 'one', context_id = 'one' } = like?.proposal ?? {};
  const isActive = like?.state === 'Active';
  return {
    ...{ case_id: `case ${dice.below(15)}`, policy_id, context_id },
    phase: isActive === dice.isLucky(90) ? 'Monitoring' : 'Qualification',
    baseline_revision: dice.isLucky(95) ? 'b1' : 'b2',
    evidence_ref: `evidence ${dice.below(40)}`,
    status: dice.isLucky(90) ? 'complete' : dice.one(['rejected', 'incomplete', 'cancelled']),
    baseline_utility: 0,
    candidate_utility: dice.isLucky(80) ? 1 : dice.one([0.25, 1.5, null]),
    candidate_cost_units: dice.isLucky(90) ? 10 : dice.one([11, null]),
    candidate_latency_ms: 1,
    detail: null,
  };
}

const evaluate: Rule = {
  name: 'evaluate a procedure',
  weight: 5,
  run: async (play) => {
    const { dice } = play;
    const [scope, procedure_id] = [dice.mostly(SCOPES), dice.mostly(IDS)];
    // Often enough to reach a decision, and to watch the procedure after it.
    for (let left = dice.one([1, 2, 5]); left > 0; left -= 1) {
      await submit(play, scope, procedure_id);
    }
  },
};

async function submit(play: Play, scope: ScopeInput, procedure_id: string): Promise<void> {
  const { world } = play;
  const submission = submissionOf(play, procedure_id);
  const parts = { document: { ...VERSION, scope, procedure_id, submission } };
  const caller = play.caller(
    (who) => may('procedure_evaluate')(who) && who.credential?.spec.subject_id === EVALUATOR,
  );
  await play.ask('admitEvaluation', caller, parts, (made, who) => {
    const credential = inScope(play, who, 'procedure_evaluate', scope);
    const place = namespaceOf(credential, scope);
    const { procedure } = procedureIn(world, place, procedure_id);
    const { subject_id: subject } = credential.spec;
    if (subject !== EVALUATOR) throw new Refusal('forbidden');
    const id = JSON.stringify([procedure_id, submission.case_id]);
    const entry = { kind: 'evaluation', place, id };
    const known = original(world, entry, { request: submission, subject });
    if (known !== undefined) return known;
    const ruling = { kind: 'policy', place: credential.tenant_id };
    const { request } = found(world, { ...ruling, id: procedure.proposal.policy_id });
    const definition = request as ReturnType<typeof definitionOf>;
    const family = familyOf(world, place, procedure.proposal);
    const [outcome, reason] = judgeEvaluation(procedure, submission, definition, family);
    register(world, entry, { request: submission, subject, answer: made });
    return {
      receipt: { procedure_id, submission, outcome, reason, state_after: procedure.state },
    };
  });
}

const readAdmission: Rule = {
  name: 'read an admission',
  weight: 2,
  run: async (play) => {
    const { dice, world } = play;
    const [scope, procedure_id] = [dice.mostly(SCOPES), dice.mostly(IDS)];
    const case_id = `case ${dice.below(15)}`;
    const parts = { document: { ...VERSION, scope, procedure_id, case_id } };
    await play.ask('readEvaluationAdmission', play.caller(may('memory_read')), parts, (_, who) => {
      const place = namespaceOf(inScope(play, who, 'memory_read', scope), scope);
      const id = JSON.stringify([procedure_id, case_id]);
      return found(world, { kind: 'evaluation', place, id }).answer;
    });
  },
};

const select: Rule = {
  name: 'select a procedure',
  weight: 2,
  run: async (play) => {
    const { dice, world } = play;
    const scope = dice.mostly(SCOPES);
    const [policy_id, context_id] = [dice.mostly(IDS), dice.mostly(IDS)];
    const document = { ...VERSION, scope, policy_id, context_id, max_instruction_bytes: 100 };
    await play.ask('selectProcedure', play.caller(may('memory_read')), { document }, (_, who) => {
      const credential = inScope(play, who, 'memory_read', scope);
      requireFit(world, credential.tenant_id, policy_id, context_id);
      const place = namespaceOf(credential, scope);
      const active = [...IDS].sort().filter((each) => {
        const it = world.procedures.get(JSON.stringify({ kind: 'procedure', place, id: each }));
        const isBound =
          it?.proposal.policy_id === policy_id && it.proposal.context_id === context_id;
        return it?.state === 'Active' && isBound;
      });
      // Without bets, all active procedures have the same bound, so the smallest id comes first.
      const bounds = active.map((each) => boundOf(procedureIn(world, place, each).procedure, BETS));
      const id = active[bounds.indexOf(Math.max(...bounds))];
      if (id === undefined) return { selection: { type: 'baseline', baseline_revision: 'b1' } };
      const { procedure, receipt } = procedureIn(world, place, id);
      return { selection: { type: 'procedure', procedure: shown(procedure, receipt) } };
    });
  },
};

/** Steps that learn. */
export const learningRules = [
  ...[policy, context, get('getLearningPolicy', 'policy'), get('getLearningContext', 'context')],
  ...[propose, read, evaluate, readAdmission, select],
];
