/** Branches of memory. */
import { inScope, learnedResource, use } from './link.js';
import type { OperationRows } from './operation-row.js';

/** The rows by operation. */
export const branchRows = {
  createMemoryBranch: {
    failures: [400, 401, 403, 409, 410, 413],
    uses: [
      use('record', { 'document.scopes.0': 'scope' }),
      use('change cursor', { 'document.as_of.cursor': 'id' }),
    ],
    teaches: [learnedResource('branch', 'answer.branch.id')],
  },
  listMemoryBranches: {
    failures: [400, 401, 403],
    uses: [use('cursor of branches', { 'query.cursor': 'id' })],
    teaches: [learnedResource('cursor of branches', 'answer.page.next_cursor')],
  },
  getMemoryBranch: {
    failures: [400, 401, 403, 404],
    uses: [use('branch', { 'path.id': 'id' })],
  },
  compareMemoryBranch: {
    failures: [400, 401, 403, 404],
    uses: [
      use('branch', { 'path.id': 'id' }),
      use('cursor of differences', { 'path.id': 'branch', 'query.cursor': 'id' }),
    ],
    teaches: [
      learnedResource('digest of a branch', 'answer.digest', { branch: 'path.id' }),
      learnedResource('cursor of differences', 'answer.page.next_cursor', { branch: 'path.id' }),
    ],
  },
  mergeMemoryBranch: {
    failures: [400, 401, 403, 404, 409, 413],
    uses: [
      use('branch', { 'path.id': 'id' }),
      use('digest of a branch', { 'path.id': 'branch', 'document.digest': 'id' }),
    ],
  },
  proposeMemory: {
    failures: [400, 401, 403, 404, 409, 413],
    uses: [
      use('record', {
        ...inScope,
        'document.operation.record_id': 'id',
        'document.operation.revision': 'revision',
        'document.operation.expected_revision': 'revision',
      }),
    ],
    teaches: [learnedResource('proposal', 'answer.receipt.proposal.id')],
  },
  proposeMemoryBranch: {
    failures: [400, 401, 403, 404, 409, 413],
    uses: [use('branch', { 'path.id': 'id' }), use('proposal', { 'path.id': 'id' })],
    teaches: [learnedResource('proposal', 'answer.proposal.id')],
  },
  listMemoryProposals: {
    failures: [400, 401, 403],
    uses: [use('cursor of proposals', { 'query.cursor': 'id' })],
    teaches: [learnedResource('cursor of proposals', 'answer.page.next_cursor')],
  },
  rejectMemoryProposal: {
    failures: [400, 401, 403, 404, 409, 413],
    uses: [use('proposal', { 'path.id': 'id' })],
  },
  withdrawMemoryProposals: {
    failures: [400, 401, 403, 413],
  },
  dropMemoryBranch: {
    failures: [400, 401, 403, 404],
    uses: [use('branch', { 'path.id': 'id' })],
  },
} satisfies Partial<OperationRows>;
