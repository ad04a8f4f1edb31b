/** The operations on memory that have commands named after them. */
import type { OperationEntry } from './operation-command.js';

/** Commands of memory, in the order of the help. */
export const memoryOperations: readonly OperationEntry[] = [
  {
    name: 'memory dependents',
    operation: 'traceMemoryDependents',
    examples: [
      'agentkeep memory dependents <id> --revision 2 ' +
        '--project-id support --agent-id helper --visibility private',
    ],
  },
  {
    name: 'memory create-branch',
    operation: 'createMemoryBranch',
    examples: [
      'agentkeep memory create-branch --name trial ' +
        '--scopes project_id=support,agent_id=helper,visibility=private',
    ],
  },
  {
    name: 'memory branches',
    operation: 'listMemoryBranches',
    columns: ['id', 'name', 'author.subject_id', 'ends_at_millis', 'purpose'],
  },
  {
    name: 'memory diff',
    operation: 'compareMemoryBranch',
    columns: [
      ...['record_id', 'base_revision', 'branch_revision', 'current_revision'],
      ...['redacted_revision', 'conflict'],
    ],
    examples: ['agentkeep memory diff <id>'],
  },
  {
    name: 'memory merge',
    operation: 'mergeMemoryBranch',
    examples: ['agentkeep memory merge <id> --digest <digest>'],
  },
  { name: 'memory drop-branch', operation: 'dropMemoryBranch' },
  {
    name: 'memory propose',
    operation: 'proposeMemory',
    examples: [
      "agentkeep memory propose --idempotency-key ticket-7801 --purpose 'Ann said so.' " +
        '--project-id support --agent-id helper --visibility shared ' +
        '--operation \'{"type":"remove","name":"style"}\'',
    ],
  },
  { name: 'memory submit', operation: 'proposeMemoryBranch' },
  {
    name: 'memory review',
    operation: 'listMemoryProposals',
    columns: ['id', 'author.subject_id', 'age_millis', 'purpose', 'reason'],
    examples: ['agentkeep memory review'],
  },
  {
    name: 'memory reject',
    operation: 'rejectMemoryProposal',
    examples: ["agentkeep memory reject <id> --reason 'It contradicts the handbook.'"],
  },
  {
    name: 'memory withdraw-proposals',
    operation: 'withdrawMemoryProposals',
    examples: ['agentkeep memory withdraw-proposals --subject-id helper'],
  },
  {
    name: 'memory consumers',
    operation: 'listConsumers',
    columns: ['name', 'lease.holder', 'lease.until_millis', 'committed_at_millis'],
  },
  { name: 'memory delete-consumer', operation: 'deleteConsumer' },
  { name: 'memory retention', operation: 'getMemoryRetention' },
  {
    name: 'memory set-retention',
    operation: 'setMemoryRetention',
    revisionFrom: 'getMemoryRetention',
    examples: ['agentkeep memory set-retention --revisions-max 100 --deleted-days 30'],
  },
];
