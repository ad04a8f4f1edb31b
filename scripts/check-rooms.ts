/**
 * Fails if a folder of sources has more rooms, arrows between them or files than
 * `rooms/ceilings.json` allows, or if the services that each handler gets have more members. Prints
 * the counts of the folders that its arguments name.
 */
import ceilings from './rooms/ceilings.json' with { type: 'json' };
import { countMembers } from './rooms/count-members.ts';
import { countRooms, isSource } from './rooms/count-rooms.ts';
import { findExcess } from './rooms/find-excess.ts';
import { readProject } from './tidy-files.ts';

const SERVICES = 'packages/core/src/kernel/services/runtime.ts';

const sources = readProject().filter(({ path }) => isSource(path));
const counts = countRooms(sources);
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

const services = sources.find(({ path }) => path === SERVICES)?.text ?? '';
const members = countMembers(services, 'Runtime');
if (members > ceilings.services) {
  console.error(`Runtime has ${members} members, more than ${ceilings.services}.`);
  console.error('Declare a port beside the owner: see packages/core/src/kernel/ports/port.ts.');
  process.exitCode = 1;
}
