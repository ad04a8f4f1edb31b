/**
 * Writes the golden store of a release: `npm run golden:write -- 1.0.0`. Once for each release, and
 * never again, because later releases have to open what this one wrote.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  answersOf,
  fillDirectory,
  FOLDER,
  openFilled,
  packGolden,
  positionIn,
  writeAnswers,
} from './golden-store.js';

const [name = ''] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+$/.test(name)) {
  console.error('Name the release, as in: npm run golden:write -- 1.0.0');
  process.exit(2);
}
if (existsSync(join(FOLDER, name))) {
  console.error(`The store of ${name} is there already, and is not written again.`);
  process.exit(1);
}

const dataDir = await mkdtemp(join(tmpdir(), 'agentkeep-golden-'));
try {
  const secret = await fillDirectory(dataDir);
  // Before the sign-in of who asks.
  await packGolden(name, dataDir);
  await using keep = await openFilled(dataDir);
  const known = { secret, position: await positionIn(keep, secret) };
  await writeAnswers(name, { ...known, answers: await answersOf(keep, known) });
} finally {
  await rm(dataDir, { recursive: true });
}
