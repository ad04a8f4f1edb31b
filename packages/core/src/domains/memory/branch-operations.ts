/** Operations on branches and proposals. */
import { compareMemoryBranch } from './branching/compare-memory-branch.js';
import { createMemoryBranch } from './branching/create-memory-branch.js';
import { dropMemoryBranch } from './branching/drop-memory-branch.js';
import { getMemoryBranch } from './branching/get-memory-branch.js';
import { listMemoryBranches } from './branching/list-memory-branches.js';
import { listMemoryProposals } from './branching/list-memory-proposals.js';
import { mergeMemoryBranch } from './branching/merge-memory-branch.js';
import { proposeMemoryBranch } from './branching/propose-memory-branch.js';
import { proposeMemory } from './branching/propose-memory.js';
import { rejectMemoryProposal } from './branching/reject-memory-proposal.js';
import { withdrawMemoryProposals } from './branching/withdraw-memory-proposals.js';

/** These operations by name. */
export const branchOperations = {
  createMemoryBranch,
  listMemoryBranches,
  getMemoryBranch,
  compareMemoryBranch,
  mergeMemoryBranch,
  dropMemoryBranch,
  proposeMemory,
  proposeMemoryBranch,
  listMemoryProposals,
  rejectMemoryProposal,
  withdrawMemoryProposals,
} as const;
