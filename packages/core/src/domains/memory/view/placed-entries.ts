/** Puts the changed records of a part among the entries of its namespace, in their order. */
import type { Match, ScannedPart, ScanPart } from '../../../kernel/ports/memory-scan.js';
import { foundIn } from '../record/scan-memory.js';
import type { Standing } from './standing-record.js';

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
export function addedBy({ entry, isInBase }: Standing): number {
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
export function placed(part: ScanPart, layers: Layers): PlacedEntries {
  const { base, examined } = layers;
  const ids = part.listed === undefined ? [] : placedIds(part, layers);
  return { ids, matches: placedMatches(part, layers, ids), examined, last: base.last };
}

/** Returns as many entries as a part may have, where the changed records alone are more. */
export function cut(
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
