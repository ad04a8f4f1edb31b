/**
 * Adds a member to a stored document in a copy of the checkout, by the lines that
 * `places/new-member.ts` states, and fails if the copy doesn't compile or the member isn't stored,
 * shown, listed, exported and imported.
 */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CopiedCheckout } from './deletion/copied-checkout.js';
import { ADDED, FILES_MAX, LIKE, places } from './places/new-member.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The sources of core without its tests. */
const compiled = {
  extends: './tsconfig.base.json',
  compilerOptions: { noEmit: true },
  files: ['packages/core/src/index.ts', 'packages/core/src/operator.ts'],
};

function check(): boolean {
  using copy = new CopiedCheckout(root, { packages: ['core'], isLeftOut: () => false });
  // The clause and its tests are two more.
  const files = places.length + 2;
  console.log(`A new member: ${String(files)} files by hand.`);
  if (files > FILES_MAX) {
    console.error(`These are more than ${String(FILES_MAX)}: let some follow from others.`);
    return false;
  }
  for (const { path, after, line, lines } of places) {
    const added = copy.addLines(path, after, (each) => line ?? each.replace(LIKE, ADDED));
    if (added === lines) continue;
    console.error(`${path} gets ${String(added)} lines, not ${String(lines)}.`);
    return false;
  }
  writeFileSync(join(copy.directory, 'tsconfig.json'), JSON.stringify(compiled));
  const source = ['--conditions=agentkeep-source', '--import', 'tsx'];
  return (
    copy.run('node_modules/typescript-native/bin/tsc', '-p', '.', '--checkers', '1') &&
    copy.run(...source, 'scripts/places/try-member.ts')
  );
}

process.exitCode = check() ? 0 : 1;
