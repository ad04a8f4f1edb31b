/**
 * Fails if a folder of sources has more rooms, arrows between them or files than
 * `rooms/ceilings.json` allows. Prints the counts of the folders that its arguments name.
 */
import ceilings from './rooms/ceilings.json' with { type: 'json' };
import { countRooms, isSource } from './rooms/count-rooms.ts';
import { findExcess } from './rooms/find-excess.ts';
import { readProject } from './tidy-files.ts';

const counts = countRooms(readProject().filter(({ path }) => isSource(path)));
for (const folder of process.argv.slice(2)) {
  const found = counts.get(folder.replace(/\/$/, ''));
  console.log(folder, found ?? 'is no folder of sources');
}
const excess = findExcess(counts, ceilings);
for (const sentence of excess) console.error(sentence);
if (excess.length > 0) {
  console.error('Give these files rooms; see scripts/rooms/count-rooms.ts for what is counted.');
  process.exitCode = 1;
}
