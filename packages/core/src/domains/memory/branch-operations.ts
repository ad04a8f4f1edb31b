/** Operations on branches and proposals. */
import { compareMemoryBranch } from './branching/compare-memory-branch.js';
import {
  createMemoryBranch,
  dropMemoryBranch,
  getMemoryBranch,
  listMemoryBranches,
} from './branching/manage-branches.js';
import { listMemoryProposals } from './branching/list-memory-proposals.js';
import { mergeMemoryBranch } from './branching/merge-memory-branch.js';
import { proposeMemory, proposeMemoryBranch } from './branching/propose-memory.js';
import { rejectMemoryProposal, withdrawMemoryProposals } from './branching/decline-proposals.js';

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
