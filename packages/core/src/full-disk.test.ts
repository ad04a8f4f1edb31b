/** A keep on a disk below its reserve opens, reads, and takes what frees space. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { statfsSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { AgentkeepError } from './contract/errors/agentkeep-error.js';
import { openKeep } from './keep/open-keep.js';
import { bootstrapTenant } from './operator.js';

const scope = { project_id: 'p', agent_id: 'a', visibility: 'shared' } as const;

const codeOf = (answer: Promise<unknown>): Promise<string> =>
  answer.then(
    () => 'fine',
    (error: unknown) => (error as AgentkeepError).wireCode,
  );

/** Makes a directory with one record; returns what opens it with another reserve. */
async function filled() {
  const dataDir = join(await mkdtemp(join(tmpdir(), 'agentkeep-full-')), 'data');
  const keep = await openKeep({ dataDir });
  const { secret: first } = await bootstrapTenant(keep, { tenantId: 't', subjectId: 'ops' });
  const admin = await keep.authenticate(first);
  const { secret } = await admin.credentials.issue({
    subject_id: 'alice',
    capabilities: ['memory_read', 'memory_write'],
    grants: [scope],
  });
  const agent = await keep.authenticate(secret);
  const { record_id: id } = await agent.memory.in(scope).create({ content: { primary: 'kept' } });
  await keep.close();
  return {
    id,
    reopen: async (reserveBytes: number) => {
      const again = await openKeep({ dataDir, reserveBytes });
      const opened = await again.authenticate(secret);
      return {
        keep: again,
        memory: opened.memory.in(scope),
        admin: await again.authenticate(first),
      };
    },
  };
}

test('QUO-C11 QUO-16 below the reserve, reads, deletions and erasures go on', async () => {
  const { id, reopen } = await filled();
  const { bavail, bsize } = statfsSync(tmpdir());
  const { keep, memory, admin } = await reopen(2 * bavail * bsize);
  expect((await memory.read(id)).payload.content.primary).toBe('kept');
  expect(await codeOf(memory.create({ content: { primary: 'more' } }))).toBe('store_full');
  expect(await codeOf(memory.delete({ recordId: id, expectedRevision: 1 }))).toBe('fine');
  expect(await codeOf(admin.erasures.start({ kind: 'subject', subject_id: 'alice' }))).toBe('fine');
  await keep.close();
});

test('QUO-16 a keep on a full disk opens and reads', async () => {
  const { id, reopen } = await filled();
  const { keep, memory } = await reopen(Number.MAX_SAFE_INTEGER);
  expect((await memory.read(id)).payload.content.primary).toBe('kept');
  expect(await codeOf(memory.delete({ recordId: id, expectedRevision: 1 }))).toBe('store_full');
  // The event of the refused deletion found no room: its loss is reported.
  expect(await codeOf(keep.close())).toBe('store_full');
});
