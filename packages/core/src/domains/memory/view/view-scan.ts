/**
 * Scans a view: the entries of its namespace, as any scan finds them, with the changed records in
 * place of their own. It finds the same as a scan of a copy of that state.
 */
import type {
  Match,
  ScanMemory,
  ScannedPart,
  ScanPart,
} from '../../../kernel/ports/memory-scan.js';
import type { ReadTx } from '../../../storage/store/store.js';
import { foundIn, scanStored } from '../record/scan-memory.js';
import { idBefore, idTextOf, uuidOf } from '../segments/columns/id-text.js';
import type { OpenedView, StandingsInRange } from './opened-view.js';
import type { Standing } from './standing-record.js';

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
    isPassing: false,
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

/** What the namespace and the view have in the range of a part. */
export interface Layers {
  readonly base: ScannedPart;
  /** The ids that the namespace has in it, hidden ones included, if they are asked for. */
  readonly baseIds: readonly string[];
  /** The changed records, in the order of the scan. */
  readonly changed: readonly Standing[];
  /** Those of them that have the wanted text; absent where each has to be looked at. */
  readonly having?: ReadonlySet<Standing> | undefined;
  readonly examined: number;
}

/** The entries of a part as a copy of the state would have them. */
export interface PlacedEntries {
  /** Their ids, if they are asked for. */
  readonly ids: readonly string[];
  readonly matches: readonly Match[];
  readonly examined: number;
  readonly last: string | undefined;
}

/** How many entries a changed record adds to those of the namespace. */
function addedBy({ entry, isInBase }: Standing): number {
  return Number(entry !== null) - Number(isInBase);
}

/** Returns a changed record as a match, unless it does not match. */
function matchOfEntry(
  { filter, nowMs, endedMs, isWeighed }: ScanPart,
  { recordId, entry }: Standing,
): Omit<Match, 'examined'> | undefined {
  if (entry === null || !entry.isVisible(nowMs) || !entry.matches(filter)) return undefined;
  const found = foundIn(entry, filter, isWeighed);
  const isEnded = endedMs !== undefined && !entry.isVisible(endedMs);
  return found && { recordId, revision: entry.revision, isEnded, ...found };
}

/** Returns all entries of a part. */
function placed(part: ScanPart, layers: Layers): PlacedEntries {
  const { base, examined } = layers;
  const ids = part.listed === undefined ? [] : placedIds(part, layers);
  return { ids, matches: placedMatches(part, layers, ids), examined, last: base.last };
}

/** Returns as many entries as a part may have, where the changed records alone are more. */
function cut(
  part: ScanPart,
  { base, changed }: Layers,
  isHidden: (recordId: string) => boolean,
): PlacedEntries {
  const own = base.last === undefined || isHidden(base.last) ? [] : [base.last];
  const ids = inOrder(part, [...idsThere(changed), ...own]).slice(0, part.entries);
  const standings = new Map(changed.map((each) => [each.recordId, each]));
  const matches = ids.flatMap((recordId, index): Match[] => {
    const standing = standings.get(recordId);
    const ownMatch = base.matches.find((match) => match.recordId === recordId);
    const found = standing === undefined ? ownMatch : matchOfEntry(part, standing);
    return found === undefined ? [] : [{ ...found, examined: index + 1 }];
  });
  return { ids, matches, examined: ids.length, last: ids.at(-1) };
}

function placedIds(part: ScanPart, { baseIds, changed }: Layers): string[] {
  const hidden = new Set(changed.map(({ recordId }) => recordId));
  const own = baseIds.filter((id) => !hidden.has(id));
  return inOrder(part, [...own, ...idsThere(changed)]);
}

function idsThere(changed: readonly Standing[]): string[] {
  return changed.flatMap(({ recordId, entry }) => (entry === null ? [] : [recordId]));
}

function inOrder({ isBackward = false }: ScanPart, ids: string[]): string[] {
  ids.sort();
  return isBackward ? ids.reverse() : ids;
}

/**
 * Merges matches. Without the ids of the namespace, a changed record counts no entries before it
 * but those up to the match before.
 */
function placedMatches(
  part: ScanPart,
  { base, changed, having }: Layers,
  ids: readonly string[],
): readonly Match[] {
  if (changed.length === 0) return base.matches;
  const isBefore = (one: string, other: string) => one < other !== (part.isBackward === true);
  const places = new Map(ids.map((id, index) => [id, index + 1]));
  const matches: Match[] = [];
  let [at, added, counted] = [0, 0, 0];
  const passChanged = (until: string | undefined): void => {
    for (let each = changed[at]; each !== undefined; each = changed[at]) {
      if (until !== undefined && !isBefore(each.recordId, until)) return;
      at += 1;
      added += addedBy(each);
      const match = having?.has(each) === false ? undefined : matchOfEntry(part, each);
      if (match === undefined) continue;
      counted = places.get(each.recordId) ?? Math.max(counted + 1, 1);
      matches.push({ ...match, examined: counted });
    }
  };
  for (const match of base.matches) {
    passChanged(match.recordId);
    counted = places.get(match.recordId) ?? Math.max(match.examined + added, counted + 1);
    matches.push({ ...match, examined: counted });
  }
  passChanged(undefined);
  return matches;
}
