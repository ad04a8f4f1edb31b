/** An erasure in a process that is killed is finished by the next one, and leaves no bytes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openKeep, type ScopeInput } from '@agentkeep/core';
import { agentFor, bootstrapTenant, createSnapshot } from '@agentkeep/core/operator';
import { eventually } from '@agentkeep/testkit/eventually';
import { expect, test } from 'vitest';
import { runCommand } from '../command-line/run-command.js';

const program = fileURLToPath(new URL('./dying-server.ts', import.meta.url));
const own: ScopeInput = { project_id: 'p', agent_id: 'a', visibility: 'private' };
const RECORDS = 600;
/** Commits behind which the server is killed: the request, and some of the slices. */
const KILLS = [2, 7];
const CANARIES = ['canary-subject', 'canary-text', 'canary-name', 'canary-key'];

async function killedAt(dataDir: string, commit: number, secret: string): Promise<unknown> {
  const words = ['--import', 'tsx', '--conditions=agentkeep-source', program];
  const args = [...words, dataDir, String(commit), secret];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
  return signal;
}

/** The canaries in the bytes of a file. */
async function canariesIn(file: string): Promise<string[]> {
  const bytes = await readFile(file);
  return CANARIES.filter((canary) => bytes.includes(canary));
}

async function filled(dataDir: string): Promise<string> {
  await using keep = await openKeep({ dataDir });
  const { secret } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  for (const subjectId of ['canary-subject', 'bob']) {
    const agent = await agentFor(keep, { tenantId: 'acme', subjectId, scopes: [own] });
    const memory = agent.memory.in(own);
    const text = subjectId === 'bob' ? 'of bob' : 'canary-text';
    const texts = Array.from({ length: RECORDS }, (_, at) => `${text} ${at}`);
    await Promise.all(texts.map((each) => memory.remember(each)));
    if (subjectId !== 'bob') {
      await memory.remember(text, { name: 'canary-name', idempotencyKey: 'canary-key' });
    }
  }
  await createSnapshot(keep);
  return secret;
}

// OPR-122
test('ERA-C7, ERA-C15 killed at any commit, it is finished, and nothing is left', async () => {
  const home = await mkdtemp(join(tmpdir(), 'agentkeep-erased-'));
  const dataDir = join(home, 'data');
  try {
    const secret = await filled(dataDir);
    for (const commit of KILLS) expect(await killedAt(dataDir, commit, secret)).toBe('SIGKILL');
    {
      await using keep = await openKeep({ dataDir });
      const { erasures } = await keep.authenticate(secret);
      await eventually(async () => {
        const found: string[] = [];
        for await (const { status } of erasures.list()) found.push(status);
        expect(found).not.toHaveLength(0);
        expect(new Set(found)).toEqual(new Set(['finished']));
      });
      const bob = await agentFor(keep, { tenantId: 'acme', subjectId: 'bob', scopes: [own] });
      expect(await bob.memory.in(own).recall('bob', { limit: 5 })).toHaveLength(5);
    }
    const words = ['verify-erasure', 'acme', '--subject', 'canary-subject', '--json'];
    const { status, out } = await runCommand([...words, '--data-dir', dataDir], {});
    const report = JSON.parse(out) as { status: string; beyond_reach: { kind: string }[] };
    expect({ status, is: report.status }).toEqual({ status: 0, is: 'clean' });
    expect(report.beyond_reach).toEqual([
      { kind: 'snapshot', id: expect.any(String), created_at: expect.any(String) },
    ]);
    const audit = await runCommand(['verify-audit', '--data-dir', dataDir], {});
    expect(audit.status).toBe(0);
    // The data file keeps what was removed in free pages. A copy of the entries has none.
    const copy = join(home, 'copy');
    const copied = await runCommand(['copy-store', '--from', dataDir, '--to', copy], {});
    expect(copied.status).toBe(0);
    expect(await canariesIn(join(copy, 'data.mdb'))).toEqual([]);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});
