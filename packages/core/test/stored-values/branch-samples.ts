/** Samples of the stored values of branches and proposals. */
import {
  memoryBranches,
  memoryBranchHolds,
  memoryBranchSpaces,
  memoryEndedBranches,
} from '../../src/domains/memory/branch/branch-store.js';
import {
  memoryBranchHeads,
  memoryBranchMerged,
  memoryBranchMerges,
} from '../../src/domains/memory/branch/merge-store.js';
import {
  memoryProposalCounts,
  memoryProposalOrder,
  memoryProposals,
} from '../../src/domains/memory/branch/proposal-store.js';
import { sample } from './sample.js';
import { ID, namespace, OTHER_ID } from './sample-documents.js';

const digest = Buffer.alloc(32, 7);

/** Samples by subspace. */
export const branchSamples = {
  memoryBranches: [
    sample(
      memoryBranches,
      {
        name: 'trial',
        scopes: [namespace.parts],
        position: '00ff',
        createdAtMillis: 1,
        endsAtMillis: 2,
        purpose: null,
        author: { credential_id: ID, subject_id: 's' },
      },
      'acme',
      ID,
    ),
  ],
  memoryProposals: [
    sample(
      memoryProposals,
      {
        name: 'trial',
        scopes: [namespace.parts],
        position: '00ff',
        createdAtMillis: 1,
        endsAtMillis: 2,
        purpose: null,
        author: { credential_id: ID, subject_id: 's' },
        proposedAtMillis: 3,
        state: 'rejected',
        takenBy: ['aa', 'bb'],
        decidedAtMillis: 4,
        reviewer: { credential_id: OTHER_ID, subject_id: 'r' },
        reason: 'no',
        merged: [[0, ID, 2, 'updated']],
        mergedCount: 1,
      },
      'acme',
      ID,
    ),
  ],
  memoryProposalOrder: [sample(memoryProposalOrder, null, 'acme', 2, 4, ID)],
  memoryProposalCounts: [sample(memoryProposalCounts, 3, 'acme', digest)],
  memoryBranchSpaces: [sample(memoryBranchSpaces, null, 'acme', ID, digest)],
  memoryBranchHolds: [sample(memoryBranchHolds, 5, 'acme', digest)],
  memoryEndedBranches: [sample(memoryEndedBranches, 5, 'acme', ID)],
  memoryBranchHeads: [sample(memoryBranchHeads, { digest: 'd' }, 'acme', ID)],
  memoryBranchMerged: [
    sample(
      memoryBranchMerged,
      { ofBranch: 3, outside: 2, copied: 1, earlier: [[2, 4]] },
      ...(['acme', ID, digest, OTHER_ID] as const),
    ),
  ],
  memoryBranchMerges: [
    sample(
      memoryBranchMerges,
      { fingerprint: 'f', merged: 64, isFinished: false },
      ...(['acme', ID, digest] as const),
    ),
  ],
};
