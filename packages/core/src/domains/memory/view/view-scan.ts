/**
 * Scans a view: the entries of its namespace, as any scan finds them, with the changed records in
 * place of their own. It finds the same as a scan of a copy of that state.
 */
import type { ScanMemory, ScannedPart, ScanPart } from '../../../kernel/ports/memory-scan.js';
import type { ReadTx } from '../../../storage/store/store.js';
import { scanStored } from '../record/scan-memory.js';
import { idBefore, idTextOf, uuidOf } from '../segments/columns/id-text.js';
import type { OpenedView, StandingsInRange } from './opened-view.js';
import { addedBy, cut, type Layers, placed } from './placed-entries.js';

/** Changed records that one part reads if the view does not hold all of them. */
const READ_AT_ONCE = 128;

/** Returns a scan of an opened view; `scan` scans its namespace. */
export function scanThroughView(scan: ScanMemory, opened: OpenedView): ScanMemory {
  return (tx, part) => {
    const read = (entries: number) => readLayers(tx, scan, opened, { ...part, entries });
    let layers = read(part.entries);
    if (layers.examined > part.entries) {
      // Records that the namespace has not got take room, so it gives fewer.
      const fewer = layers.base.examined - (layers.examined - part.entries);
      layers = read(Math.max(1, fewer));
    }
    const isCut = layers.examined > part.entries;
    const found = isCut ? cut(part, layers, opened.isHidden) : placed(part, layers);
    const { remember, learn, cached, leftOut } = layers.base;
    for (const id of found.ids) part.listed?.(id);
    const tallied = part.tally === undefined ? [] : found.matches.filter(({ isEnded }) => !isEnded);
    for (const { recordId, terms = 0, revision, weighed } of tallied) {
      const id = Buffer.from(recordId.replaceAll('-', ''), 'hex');
      part.tally?.add(id, 0, { terms, revision, weighed });
    }
    return {
      matches:
        part.tally === undefined ? found.matches : found.matches.filter(({ isEnded }) => isEnded),
      examined: found.examined,
      ...(cached === undefined ? {} : { cached: Math.min(cached, found.examined) }),
      ...(leftOut === undefined ? {} : { leftOut }),
      last: found.last,
      remember,
      // A changed record is another one in the namespace, which must not learn of it.
      learn:
        learn &&
        ((facts) => {
          learn(facts.filter(({ recordId }) => !opened.isHidden(recordId)));
        }),
    };
  };
}

function readLayers(tx: ReadTx, scan: ScanMemory, opened: OpenedView, part: ScanPart): Layers {
  const baseIds: string[] = [];
  const wanted: ScanPart = {
    ...part,
    namespace: opened.view.namespace,
    isHidden: opened.isHidden,
    listed: part.listed && ((id) => baseIds.push(id)),
    tally: undefined,
  };
  const base = opened.view.isOverfull ? scanToWall(tx, opened, wanted) : scan(tx, wanted);
  const { standings, having } = standingsIn(opened, part, base.last);
  const changed = part.isBackward === true ? standings.toReversed() : standings;
  const examined = changed.reduce((sum, each) => sum + addedBy(each), base.examined);
  return { base, baseIds, changed, having, examined };
}

/** Scans up to a changed record, so that the part reads a bounded number of them. */
function scanToWall(tx: ReadTx, opened: OpenedView, part: ScanPart): ScannedPart {
  const { after, isBackward = false } = part;
  const ids = opened.idsIn(isBackward ? { before: after } : { after });
  const wall = isBackward ? ids.at(-READ_AT_ONCE) : ids[READ_AT_ONCE - 1];
  if (wall === undefined) return scanStored(tx, part);
  const through = isBackward ? uuidOf(idBefore(idTextOf(wall))) : wall;
  const base = scanStored(tx, { ...part, through });
  return base.last === undefined ? { ...base, last: wall } : base;
}

function standingsIn(
  opened: OpenedView,
  { after, isBackward = false, filter }: ScanPart,
  last: string | undefined,
): StandingsInRange {
  const range = isBackward ? { from: last, before: after } : { after, through: last };
  return opened.standingsIn(range, filter.text);
}
