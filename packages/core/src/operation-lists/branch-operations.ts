/** Operations on branches and proposals. */
import { compareMemoryBranch } from '../domains/memory/branching/compare-memory-branch.js';
import { createMemoryBranch } from '../domains/memory/branching/create-memory-branch.js';
import { dropMemoryBranch } from '../domains/memory/branching/drop-memory-branch.js';
import { getMemoryBranch } from '../domains/memory/branching/get-memory-branch.js';
import { listMemoryBranches } from '../domains/memory/branching/list-memory-branches.js';
import { listMemoryProposals } from '../domains/memory/branching/list-memory-proposals.js';
import { mergeMemoryBranch } from '../domains/memory/branching/merge-memory-branch.js';
import { proposeMemoryBranch } from '../domains/memory/branching/propose-memory-branch.js';
import { proposeMemory } from '../domains/memory/branching/propose-memory.js';
import { rejectMemoryProposal } from '../domains/memory/branching/reject-memory-proposal.js';
import { withdrawMemoryProposals } from '../domains/memory/branching/withdraw-memory-proposals.js';

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
