/** The families of memory. */
import { listFamilies } from '../../storage/store/family.js';
import {
  memoryBranches,
  memoryBranchHolds,
  memoryBranchSpaces,
  memoryEndedBranches,
} from './branch/branch-store.js';
import { memoryBranchHeads, memoryBranchMerged, memoryBranchMerges } from './branch/merge-store.js';
import {
  memoryProposalCounts,
  memoryProposalOrder,
  memoryProposals,
} from './branch/proposal-store.js';
import { memoryConsumers } from './consumers/consumer-store.js';
import { memoryChangeFloors, memoryChanges } from './journal/change-store.js';
import { memoryBatchReceipts } from './record/batch-receipt-store.js';
import { erasedReceiptKeys, erasedReceipts } from './record/erased-receipt-store.js';
import { memoryNames, memoryRecords, memoryScan } from './record/memory-store.js';
import { memoryReceipts } from './record/receipt-store.js';
import { memoryDependents, memoryRedactedSources, memorySources } from './record/source-store.js';
import { memoryTraced, memoryTraces } from './record/trace-store.js';
import { memoryRetention } from './retention/retention-store.js';
import { memorySweeps } from './retention/sweep-store.js';
import { memoryPurges, memoryRevisions } from './revision/revision-store.js';
import { embeddingSpaces } from './spaces/embedding-spaces.js';

/** All families of memory. */
export const memoryFamilies = listFamilies(
  memoryBranches,
  memoryBranchSpaces,
  memoryBranchHolds,
  memoryEndedBranches,
  memoryBranchHeads,
  memoryBranchMerged,
  memoryBranchMerges,
  memoryProposals,
  memoryProposalOrder,
  memoryProposalCounts,
  memoryConsumers,
  memoryChanges,
  memoryChangeFloors,
  memoryBatchReceipts,
  erasedReceiptKeys,
  erasedReceipts,
  memoryRecords,
  memoryScan,
  memoryNames,
  memoryReceipts,
  memorySources,
  memoryDependents,
  memoryRedactedSources,
  memoryTraces,
  memoryTraced,
  memoryRetention,
  memorySweeps,
  memoryRevisions,
  memoryPurges,
  embeddingSpaces,
);
