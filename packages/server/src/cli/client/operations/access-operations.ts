/** The operations of access that have commands of their own. */
import type { OperationEntry } from './operation-command.js';

/** The commands that show who reaches what in a tenant. */
export const accessOperations: readonly OperationEntry[] = [
  {
    name: 'access scopes',
    operation: 'listScopes',
    columns: ['scope', 'subject_id', 'records', 'deleted_records', 'last_change_at_millis'],
  },
  {
    name: 'access subjects',
    operation: 'listKnownSubjects',
    columns: ['subject_id', 'live_credentials', 'ended_credentials', 'private_scopes'],
  },
  {
    name: 'access reach',
    operation: 'previewReach',
    examples: ['agentkeep access reach --subject-id user-1 --profile admin'],
  },
  {
    name: 'access holders',
    operation: 'listScopeHolders',
    examples: [
      'agentkeep access holders --project-id support --agent-id helper --visibility shared',
    ],
  },
];

/** The commands of erasures. */
export const erasureOperations: readonly OperationEntry[] = [
  {
    name: 'erasures start',
    operation: 'startErasure',
    examples: [
      `agentkeep erasures start --target '{"kind":"subject","subject_id":"user-1"}' --profile admin`,
    ],
  },
  {
    name: 'erasures list',
    operation: 'listErasures',
    columns: ['id', 'kind', 'status', 'steps_done', 'steps', 'requested_at_millis'],
  },
  { name: 'erasures show', operation: 'getErasure' },
];
