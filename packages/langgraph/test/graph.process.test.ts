/** A graph that is interrupted in a process which is killed goes on in this one, on LMDB. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { openKeep } from '@agentkeep/core';
import { Command } from '@langchain/langgraph';
import { expect, test } from 'vitest';
import { graphOver } from './graph-over-keep.js';

const program = fileURLToPath(new URL('./run-graph.ts', import.meta.url));
const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

test('a graph that waits for an answer goes on in another process', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'agentkeep-langgraph-'));
  try {
    const words = ['--import', tsx, '--conditions=agentkeep-source', program, dataDir];
    const { signal, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
    expect({ signal, stdout, stderr }).toEqual({
      signal: 'SIGKILL',
      stdout: '["left","right"]',
      stderr: '',
    });
    await using keep = await openKeep({ dataDir });
    const { graph, config } = await graphOver(keep);
    const { steps } = await graph.invoke(new Command({ resume: 'yes' }), config);
    expect(steps).toEqual(['left', 'right', 'answer yes', 'noted']);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});
