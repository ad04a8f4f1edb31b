/**
 * Fails if the published packages export more names, or core has more entries, than
 * `names/ceilings.json` allows. Prints the names of the entries that its arguments name.
 */
import { join } from 'node:path';
import ceilings from './names/ceilings.json' with { type: 'json' };
import { countNames, type Entry } from './names/count-names.ts';
import { publishedPackages, root } from './package-entries.mjs';

const entries = publishedPackages().flatMap(({ folder, manifest }): Entry[] =>
  Object.entries(manifest.exports).flatMap(([path, target]) => {
    if (typeof target === 'string') return [];
    const source = join(root, folder, target['agentkeep-source']);
    return [{ name: `${manifest.name}${path.slice(1)}`, source }];
  }),
);
const { total, byEntry } = countNames(entries);
console.log(`names: ${total} in ${byEntry.size} entries`);
for (const entry of process.argv.slice(2)) {
  console.log(entry, byEntry.get(entry)?.join(' ') ?? 'is no entry of a published package');
}
const ofCore = [...byEntry].filter(
  ([entry, names]) => /^@agentkeep\/core(?:\/|$)/u.test(entry) && names.length > 0,
);
const excess = [
  { what: 'public names', found: total, most: ceilings.names },
  { what: 'entries of core', found: ofCore.length, most: ceilings.entriesOfCore },
].filter(({ found, most }) => found > most);
for (const { what, found, most } of excess) {
  console.error(`There are ${found} ${what}; scripts/names/ceilings.json allows ${most}.`);
}
if (excess.length > 0) {
  console.error('Export what programs outside of the package name; see scripts/names/.');
  process.exitCode = 1;
}
