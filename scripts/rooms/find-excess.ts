/** Compares the counts of folders with the most that they may have. */
import type { RoomCounts } from './count-rooms.ts';

/** Ceilings: those of every folder, and higher ones of folders that are above them today. */
export interface Ceilings {
  readonly every: RoomCounts;
  readonly above: Readonly<Record<string, RoomCounts>>;
}

const members = ['files', 'rooms', 'arrows'] as const;

/** Returns a sentence for each count above its ceiling, and for each ceiling without a use. */
export function findExcess(
  counts: ReadonlyMap<string, RoomCounts>,
  { every, above }: Ceilings,
): string[] {
  const isWithin = (found: RoomCounts) => members.every((name) => found[name] <= every[name]);
  const excess = Array.from(counts).flatMap(([folder, found]) => {
    const most = above[folder] ?? every;
    return members
      .filter((name) => found[name] > most[name])
      .map((name) => `${folder} has ${found[name]} ${name}, more than ${most[name]}.`);
  });
  const unused = Object.keys(above).filter((folder) => {
    const found = counts.get(folder);
    return found === undefined || isWithin(found);
  });
  return [...excess, ...unused.map((folder) => `${folder} needs no ceiling of its own any more.`)];
}
