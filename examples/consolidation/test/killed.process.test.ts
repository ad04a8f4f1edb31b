/** A job that is killed at any of its commits loses nothing and doubles nothing. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openKeep, openLmdbStore, type ScopeInput } from '@agentkeep/core';
import { agentFor } from '@agentkeep/core/operator';
import { expect, test } from 'vitest';

const scope: ScopeInput = { project_id: 'shop', agent_id: 'desk', visibility: 'shared' };
const program = fileURLToPath(new URL('./dying-run.ts', import.meta.url));
const NOTES = 8;
/** The lease of a worker, which a killed one leaves behind. */
const LEASE_MS = 60_000;

async function withMemory<T>(
  directory: string,
  use: (memory: Awaited<ReturnType<typeof agentFor>>['memory']) => Promise<T>,
): Promise<T> {
  const keep = await openKeep({ store: await openLmdbStore({ directory }) });
  try {
    const desk = await agentFor(keep, { tenantId: 'acme', subjectId: 'desk', scopes: [scope] });
    return await use(desk.memory.in(scope));
  } finally {
    await keep.close();
  }
}

let runs = 0;

/** Runs the job after the leases of all runs before; returns the signal that ended it. */
async function runJob(directory: string, at: string): Promise<string | null> {
  runs += 1;
  const words = ['--import', 'tsx', program, directory, at, String(runs * 2 * LEASE_MS)];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  if (signal === null) expect(code).toBe(0);
  return signal;
}

test(
  'killed before and after each commit, it finds every note once',
  { timeout: 600_000 },
  async () => {
    const home = await mkdtemp(join(tmpdir(), 'agentkeep-killed-'));
    const directory = join(home, 'data');
    const notes = Array.from({ length: NOTES }, (_, index) => `note ${index}.`);
    await withMemory(directory, async (memory) => {
      for (const [index, text] of notes.entries()) {
        await memory.remember(text, { tags: [`customer/${index % 2}`], source: 'user' });
      }
    });
    let kills = 0;
    // Each run is killed one commit later than it is sure to make, until one ends by itself.
    for (let at = 1; ; at = (at % 6) + 1) {
      const signals = [await runJob(directory, String(at)), await runJob(directory, `${at}+`)];
      kills += signals.filter((signal) => signal === 'SIGKILL').length;
      if (signals.includes(null)) break;
    }
    expect(await runJob(directory, '0')).toBeNull();
    expect(kills).toBeGreaterThan(3);
    const lines = await withMemory(directory, async (memory) => {
      const found: string[] = [];
      for await (const { payload } of memory.query({ tag: 'summary' })) {
        found.push(...payload.content.primary.split('\n'));
      }
      return found;
    });
    expect(lines.toSorted()).toEqual(notes.toSorted());
    await rm(home, { recursive: true, force: true });
  },
);
