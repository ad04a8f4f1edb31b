/**
 * Fails if an operation, a member of a document, a stored family or a store is stated in more files
 * than `places/ceilings.json` allows, or if a warm create runs more. Prints the files for the names
 * that its arguments are.
 */
import { families } from '../packages/core/src/domains.ts';
import { contractDocument } from '../packages/server/src/openapi/document.ts';
import ceilings from './places/ceilings.json' with { type: 'json' };
import { countCreate } from './places/count-create.ts';
import { countPlaces } from './places/count-places.ts';
import { readProject } from './tidy-files.ts';

// This file names the store that it counts.
const own = 'scripts/check-places.ts';
const byHand = readProject().filter(({ isGenerated, path }) => !isGenerated && path !== own);
const published = Object.values(contractDocument.paths).flatMap((each) => Object.values(each));
const text = JSON.stringify(contractDocument.components.schemas);
const places = countPlaces(byHand, {
  operations: new Set(
    published.map(({ operationId }) => operationId).filter((id) => id !== 'getContract'),
  ),
  // A name of several words is of one member only.
  members: new Set(Array.from(text.matchAll(/"([a-z]+_[a-z_]+)":/g), ([, name = '']) => name)),
  families: new Set(families.names),
  store: 'packages/postgres',
});
const counts = { ...places, ...(await countCreate()) };
for (const name of process.argv.slice(2)) {
  const found = byHand.filter((file) => new RegExp(`\\b${name}\\b`).test(file.text));
  console.log([name, ...found.map(({ path }) => path)].join('\n  '));
}
for (const name of Object.keys(ceilings) as (keyof typeof counts)[]) {
  if (counts[name] <= ceilings[name]) continue;
  console.error(`${name}: ${counts[name]} files, more than ${ceilings[name]}.`);
  process.exitCode = 1;
}
console.log('Places:', JSON.stringify(counts));
if (process.exitCode === 1)
  console.error('See count-places.ts and count-create.ts in scripts/places for the rules.');
