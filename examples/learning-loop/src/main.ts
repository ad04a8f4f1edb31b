/** Runs the example in a temporary directory, and prints what happened. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openKeep } from '@agentkeep/core';
import { runExample } from './run-example.js';

const { values } = parseArgs({ options: { help: { type: 'boolean', default: false } } });
if (values.help) {
  console.log(`Usage: npm run example:learning-loop

Runs the loop of learning in a temporary directory, which is removed at the end.`);
  process.exit();
}

const dataDir = await mkdtemp(join(tmpdir(), 'agentkeep-learning-loop-'));
try {
  await using keep = await openKeep({ dataDir });
  for (const { what, who, tells } of await runExample(keep)) {
    console.log(`${what.padEnd(10)} ${who.padEnd(12)} ${tells}`);
  }
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
