/** Operations on branches and proposals. */
import { compareMemoryBranch } from '../memory/branching/compare-memory-branch.js';
import { createMemoryBranch } from '../memory/branching/create-memory-branch.js';
import { dropMemoryBranch } from '../memory/branching/drop-memory-branch.js';
import { getMemoryBranch } from '../memory/branching/get-memory-branch.js';
import { listMemoryBranches } from '../memory/branching/list-memory-branches.js';
import { listMemoryProposals } from '../memory/branching/list-memory-proposals.js';
import { mergeMemoryBranch } from '../memory/branching/merge-memory-branch.js';
import { proposeMemoryBranch } from '../memory/branching/propose-memory-branch.js';
import { proposeMemory } from '../memory/branching/propose-memory.js';
import { rejectMemoryProposal } from '../memory/branching/reject-memory-proposal.js';
import { withdrawMemoryProposals } from '../memory/branching/withdraw-memory-proposals.js';

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
