/** Memory: records, branches, search, changes, and what is kept of them. */
import { defineDomain } from '../../upkeep/domain/domain.js';
import { BranchSweeper } from './sweep/branch-sweeper.js';
import { ChangeFeed, changeFeed } from './changes/change-feed.js';
import { ChangeSweeper } from './changes/change-sweeper.js';
import { memoryErasure } from './erasure/memory-erasure.js';
import { memoryLines } from './lines/memory-lines.js';
import { readCounter } from './record/read-port.js';
import { ReadCounter } from './sweep/read-counter.js';
import { ServerMeaning, serverMeaning } from './meaning/server-meaning.js';
import { MemorySweeper } from './sweep/memory-sweeper.js';
import {
  heldViews,
  openedSegments,
  openSegments,
  VIEW_CACHE_BYTES,
  ViewCache,
} from './view/view-cache.js';
import { followRetention } from './retention/memory-retention.js';
import { sweepMemory } from './retention/sweep-store.js';
import * as branchStore from './branch/branch-store.js';
import * as mergeStore from './branch/merge-store.js';
import * as proposalStore from './branch/proposal-store.js';
import * as compareMemoryBranch from './branching/compare-memory-branch.js';
import * as declineProposals from './branching/decline-proposals.js';
import * as listMemoryProposals from './branching/list-memory-proposals.js';
import * as manageBranches from './branching/manage-branches.js';
import * as mergeMemoryBranch from './branching/merge-memory-branch.js';
import * as proposeMemory from './branching/propose-memory.js';
import { consumerLagMs } from './consumers/consumer-lag.js';
import * as listMemoryChanges from './changes/list-memory-changes.js';
import * as consumerStore from './consumers/consumer-store.js';
import * as manageConsumers from './consumers/manage-consumers.js';
import * as traceMemoryDependents from './dependents/trace-memory-dependents.js';
import * as changeStore from './journal/change-store.js';
import * as listMemoryReads from './reading/list-memory-reads.js';
import * as listMemoryRevisions from './reading/list-memory-revisions.js';
import * as readMemoryRecord from './reading/read-memory-record.js';
import * as memoryStore from './record/memory-store.js';
import * as readStore from './record/read-store.js';
import * as receiptStore from './record/receipt-store.js';
import * as sourceStore from './record/source-store.js';
import * as traceStore from './record/trace-store.js';
import * as memoryRetention from './retention/memory-retention.js';
import * as retentionStore from './retention/retention-store.js';
import * as sweepStore from './retention/sweep-store.js';
import * as revisionStore from './revision/revision-store.js';
import * as queryMemory from './search/query-memory.js';
import * as searchMemory from './search/search-memory.js';
import * as embeddingProgress from './meaning/embedding-progress.js';
import * as embeddingSpaces from './spaces/embedding-spaces.js';
import * as attachEmbeddings from './writing/attach-embeddings.js';
import * as executeMemoryBatch from './writing/execute-memory-batch.js';
import * as executeMemoryCommand from './writing/execute-memory-command.js';

/** The domain of memory. */
export const memory = defineDomain({
  modules: [
    branchStore,
    mergeStore,
    proposalStore,
    compareMemoryBranch,
    declineProposals,
    listMemoryProposals,
    manageBranches,
    mergeMemoryBranch,
    proposeMemory,
    listMemoryChanges,
    consumerStore,
    manageConsumers,
    traceMemoryDependents,
    changeStore,
    listMemoryReads,
    listMemoryRevisions,
    readMemoryRecord,
    memoryStore,
    readStore,
    receiptStore,
    sourceStore,
    traceStore,
    memoryRetention,
    retentionStore,
    sweepStore,
    revisionStore,
    queryMemory,
    searchMemory,
    embeddingSpaces,
    embeddingProgress,
    attachEmbeddings,
    executeMemoryBatch,
    executeMemoryCommand,
  ],
  erasure: memoryErasure,
  lines: memoryLines,
  backlog: (tx, tenantId, nowMs) => ({
    proposals: proposalStore.countProposals(tx, tenantId),
    consumerLagMs: consumerLagMs(tx, tenantId, nowMs),
  }),
  open: (parts) => {
    const sweeper = new MemorySweeper(parts);
    const branches = new BranchSweeper(parts);
    const sweep = (): void => {
      sweeper.wake();
      branches.wake();
    };
    const reads = new ReadCounter(parts);
    const feed = new ChangeFeed(parts);
    const views = new ViewCache(VIEW_CACHE_BYTES);
    const meaning = parts.textEmbedder && new ServerMeaning(parts.textEmbedder, parts);
    const embedders = meaning === undefined ? [] : [meaning];
    const segments = openSegments(parts, parts.queryCacheBytes);
    return {
      sweepers: [feed, new ChangeSweeper(parts), branches, sweeper, reads, ...embedders],
      ports: [
        sweepMemory.answeredBy(sweep),
        changeFeed.answeredBy(feed),
        heldViews.answeredBy(views),
        openedSegments.answeredBy(segments),
        readCounter.answeredBy(reads),
        followRetention.answeredBy((tenantId) => {
          reads.settingChanged(tenantId);
        }),
        serverMeaning.answeredBy(meaning ?? null),
      ],
      dropHeldStates: () => {
        views.clear();
        reads.drop();
      },
    };
  },
});
