/** Runs the example in a temporary directory, and prints what happened. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openKeep } from '@agentkeep/core';
import { runExample } from './run-example.js';

const dataDir = await mkdtemp(join(tmpdir(), 'agentkeep-learning-loop-'));
try {
  await using keep = await openKeep({ dataDir });
  for (const { what, who, tells } of await runExample(keep)) {
    console.log(`${what.padEnd(10)} ${who.padEnd(12)} ${tells}`);
  }
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
