/** The operations on learning that have commands named after them. */
import type { OperationEntry } from './operation-command.js';

const SCOPE = '--project-id support --agent-id helper --visibility shared';

/** Commands of learning, tools and experiences, in the order of the help. */
export const learningOperations: readonly OperationEntry[] = [
  {
    name: 'learning procedures',
    operation: 'listProcedures',
    columns: [
      ...['id', 'state', 'qualification_count', 'mean_improvement', 'policy_id', 'context_id'],
      'created_at_millis',
    ],
    examples: [`agentkeep learning procedures ${SCOPE}`],
  },
  {
    name: 'learning evaluations',
    operation: 'listEvaluations',
    columns: ['submission.case_id', 'outcome', 'reason', 'state_after', 'recorded_at_millis'],
    examples: [`agentkeep learning evaluations --procedure-id greet-first ${SCOPE}`],
  },
  {
    name: 'learning policies',
    operation: 'listLearningPolicies',
    columns: [
      ...['id', 'payload.algorithm', 'payload.parameters.qualification_trials'],
      ...['payload.parameters.evaluator_id', 'recorded_at_millis'],
    ],
    examples: ['agentkeep learning policies --profile coach'],
  },
  {
    name: 'learning contexts',
    operation: 'listLearningContexts',
    columns: [
      ...['id', 'payload.task', 'payload.baseline_revision', 'payload.evaluation_contract'],
      'recorded_at_millis',
    ],
    examples: ['agentkeep learning contexts --profile coach'],
  },
  {
    name: 'experiences list',
    operation: 'listExperiences',
    columns: ['receipt.request.id', 'outcome', 'revision', 'receipt.recorded_at_millis'],
    examples: [`agentkeep experiences list ${SCOPE}`],
  },
  {
    name: 'tools list',
    operation: 'listToolArtifacts',
    columns: ['proposal.id', 'proposal.entrypoint', 'actor.subject_id', 'recorded_at_millis'],
    examples: [`agentkeep tools list ${SCOPE}`],
  },
  {
    name: 'tools developments',
    operation: 'listToolDevelopments',
    columns: ['receipt.request.id', 'state', 'reason', 'revision', 'artifact_id'],
    examples: [`agentkeep tools developments ${SCOPE}`],
  },
  {
    name: 'tools events',
    operation: 'listToolDevelopmentEvents',
    columns: [
      ...['command.event_id', 'command.action.type', 'record.state', 'record.reason'],
      ...['record.revision', 'recorded_at_millis'],
    ],
    examples: [`agentkeep tools events --request-id frame-number ${SCOPE}`],
  },
];
