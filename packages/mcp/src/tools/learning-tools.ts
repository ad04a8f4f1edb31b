/** Tools of learning: procedures are proposed, evaluated and selected. */
import type { EvaluationSubmissionInput, LearningProposal, ScopeInput } from '@agentkeep/client';
import { documentOf } from './documents.js';
import { defineTool, scopeOf, type Tool } from './tool.js';

/** An agent that neither proposes nor evaluates has no use for tools of learning. */
const LEARNING = ['procedure_propose', 'procedure_evaluate'] as const;

interface ProposeArguments {
  readonly scope?: ScopeInput;
  readonly proposal: LearningProposal;
}

const propose: Tool = defineTool<ProposeArguments>({
  name: 'learning_propose',
  title: 'Propose a procedure',
  description:
    'Proposes instructions that worked, under a learning policy and for an evaluation context. ' +
    'Repeat it with the same id.',
  effect: 'adds',
  isIdempotent: true,
  capabilities: ['procedure_propose'],
  scopeArgument: 'scope',
  input: documentOf('LearningProposalRequest'),
  run: async (given, call) => {
    const { signal } = call;
    const scope = await scopeOf(given.scope, call);
    return { receipt: await call.agent.learning.propose(scope, given.proposal, { signal }) };
  },
});

interface SelectArguments {
  readonly scope?: ScopeInput;
  readonly policy_id: string;
  readonly context_id: string;
  readonly max_instruction_bytes: number;
}

const select: Tool = defineTool<SelectArguments>({
  name: 'learning_select',
  title: 'Select a procedure',
  description:
    'Returns the best procedure that has qualified under a policy for a context, or says that the ' +
    'baseline is to be used.',
  effect: 'reads',
  isIdempotent: true,
  capabilities: LEARNING,
  scopeArgument: 'scope',
  input: documentOf('LearningSelectRequest'),
  run: async (given, call) => {
    const selection = await call.agent.learning.select(await scopeOf(given.scope, call), {
      policyId: given.policy_id,
      contextId: given.context_id,
      maxInstructionBytes: given.max_instruction_bytes,
      signal: call.signal,
    });
    return { selection };
  },
});

interface ProcedureArguments {
  readonly scope?: ScopeInput;
  readonly procedure_id: string;
}

const procedure: Tool = defineTool<ProcedureArguments>({
  name: 'learning_procedure',
  title: 'Read a procedure',
  description: 'Reads a procedure with its state and the statistics of its evaluations.',
  effect: 'reads',
  isIdempotent: true,
  capabilities: LEARNING,
  scopeArgument: 'scope',
  input: documentOf('LearningReadRequest'),
  run: async (given, call) => {
    const { signal } = call;
    const { learning } = call.agent;
    const scope = await scopeOf(given.scope, call);
    return { procedure: await learning.procedure(scope, given.procedure_id, { signal }) };
  },
});

interface EvaluateArguments extends ProcedureArguments {
  readonly submission: EvaluationSubmissionInput;
}

const evaluate: Tool = defineTool<EvaluateArguments>({
  name: 'learning_evaluate',
  title: 'Evaluate a procedure',
  description:
    "Submits the result of a procedure on one case, as the policy's evaluator. The receipt says " +
    'whether it counted.',
  effect: 'adds',
  isIdempotent: true,
  capabilities: ['procedure_evaluate'],
  scopeArgument: 'scope',
  input: documentOf('LearningEvaluationRequest'),
  run: async (given, call) => {
    const { procedure_id: id, submission } = given;
    const { signal } = call;
    const scope = await scopeOf(given.scope, call);
    return { receipt: await call.agent.learning.evaluate(scope, id, submission, { signal }) };
  },
});

/** The tools of learning. */
export const learningTools: readonly Tool[] = [propose, select, procedure, evaluate];
