/** `proposeMemory`: proposes one command, once per idempotency key. */
import { exampleVersion } from '../../../contract/example-values.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { scopedChecks } from '../../../kernel/operation/orders-of-checks.js';
import { ReceiptResponse } from '../documents/schema.js';
import { proposeCommand } from '../writing/propose-command.js';
import { NewProposal } from './proposal-documents.js';

/** The branch, the change in it and the proposal are one commit. */
export const proposeMemory = defineTenantOperation({
  name: 'proposeMemory',
  summary: 'Propose one command, which waits until it is merged or rejected.',
  example: {
    document: {
      ...exampleVersion,
      idempotency_key: 'proposal-7801',
      scope: { project_id: 'support', agent_id: 'helper', visibility: 'shared' },
      operation: {
        type: 'create',
        record: { content: { primary: 'Refund orders below 20 EUR without asking.' } },
      },
      purpose: 'Ann said so.',
    },
  },
  command: {
    name: 'memory propose',
    examples: [
      "agentkeep memory propose --idempotency-key ticket-7801 --purpose 'Ann said so.' " +
        '--project-id support --agent-id helper --visibility shared --operation ' +
        `'{"type":"remove","name":"style"}'`,
    ],
  },
  tag: 'Memory',
  input: { document: NewProposal },
  output: ReceiptResponse,
  requires: {
    capability: ['memory_propose', 'memory_write'],
    scope: ({ document }) => document.scope,
  },
  checks: scopedChecks,
  deferred: 'operation',
  errors: [
    ...(['record_not_found', 'revision_conflict', 'current_revision'] as const),
    ...(['idempotency_conflict', 'command_erased', 'branch_limit', 'branch_closed'] as const),
  ],
  handler: async (request) => {
    const receipt = await proposeCommand(request, request.input.document);
    return { contract_version: CONTRACT_VERSION, receipt };
  },
});
