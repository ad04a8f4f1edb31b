/** Memory: records, branches, search, changes, and what is kept of them. */
import { defineDomain } from '../../upkeep/domain/domain.js';
import { branchOperations } from './branch-operations.js';
import { BranchSweeper } from './sweep/branch-sweeper.js';
import { ChangeFeed, changeFeed } from './changes/change-feed.js';
import { ChangeSweeper } from './changes/change-sweeper.js';
import { memoryErasure } from './erasure/memory-erasure.js';
import { memoryLines } from './lines/memory-lines.js';
import { memoryFamilies } from './memory-families.js';
import { memoryOperations } from './memory-operations.js';
import { MemorySweeper } from './sweep/memory-sweeper.js';
import {
  heldViews,
  openedSegments,
  openSegments,
  VIEW_CACHE_BYTES,
  ViewCache,
} from './view/view-cache.js';
import { sweepMemory } from './retention/sweep-store.js';

/** The domain of memory. */
export const memory = defineDomain({
  families: memoryFamilies,
  operations: { ...memoryOperations, ...branchOperations },
  erasure: memoryErasure,
  lines: memoryLines,
  open: (parts) => {
    const sweeper = new MemorySweeper(parts);
    const branches = new BranchSweeper(parts);
    const sweep = (): void => {
      sweeper.wake();
      branches.wake();
    };
    const feed = new ChangeFeed(parts);
    const views = new ViewCache(VIEW_CACHE_BYTES);
    const segments = openSegments(parts, parts.queryCacheBytes);
    return {
      sweepers: [feed, new ChangeSweeper(parts), branches, sweeper],
      ports: [
        sweepMemory.answeredBy(sweep),
        changeFeed.answeredBy(feed),
        heldViews.answeredBy(views),
        openedSegments.answeredBy(segments),
      ],
      dropHeldStates: () => {
        views.clear();
      },
    };
  },
});
