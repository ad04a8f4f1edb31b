/** Runs the example in a temporary directory, and prints what is said. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openKeep } from '@agentkeep/core';
import { runConversations } from './conversations.js';

const dataDir = await mkdtemp(join(tmpdir(), 'agentkeep-anthropic-'));
try {
  for await (const line of runConversations(() => openKeep({ dataDir }))) console.log(line);
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
