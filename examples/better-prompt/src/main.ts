/** Runs the example in a temporary directory, and prints what happened. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openKeep } from '@agentkeep/core';
import { runExample } from './run-example.js';

const dataDir = await mkdtemp(join(tmpdir(), 'agentkeep-better-prompt-'));
try {
  await using keep = await openKeep({ dataDir });
  for (const line of await runExample(keep)) console.log(line);
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
