/** Encryption of a keep on disk: what its files show, and what is left once a key is destroyed. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { bytesBelow } from '../../../test/bytes-below.js';
import { newKeys } from '../../../test/key-kit.js';
import type { Agent } from '../../client/agent.js';
import type { Keep } from '../../keep/keep.js';
import { openKeep } from '../../keep/open-keep.js';
import * as operator from '../../operator.js';
import type { EncryptionOptions } from '../../storage/key-files/open-sealed.js';

const temporary: string[] = [];

afterAll(async () => {
  for (const directory of temporary) await rm(directory, { recursive: true, force: true });
});

async function newDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'agentkeep-encrypted-'));
  temporary.push(directory);
  return join(directory, 'data');
}

/** An agent with private and shared memory. */
function agentOf(keep: Keep, subjectId: string): Promise<Agent> {
  return operator.agentFor(keep, { tenantId: 'acme', subjectId });
}

async function remember(keep: Keep, subjectId: string): Promise<string> {
  const agent = await agentOf(keep, subjectId);
  const { record_id: id } = await agent.memory.remember(`canary-content of ${subjectId}`, {
    name: `canary-name-${subjectId}`,
    tags: ['canary-tag'],
  });
  return id;
}

function open(dataDir: string, encryption?: EncryptionOptions): Promise<Keep> {
  return openKeep({ dataDir, ...(encryption === undefined ? {} : { encryption }) });
}

describe('an encrypted keep', () => {
  test('ENC-3, ENC-4, ENC-12 shows contents, names and tags in no file', async () => {
    const dataDir = await newDirectory();
    const keys = await newKeys();
    const keep = await open(dataDir, keys);
    await remember(keep, 'ann');
    const snapshot = await operator.createSnapshot(keep);
    await keep.close();
    expect(snapshot.size_bytes).toBeGreaterThan(0);
    const bytes = await bytesBelow(dataDir);
    expect(bytes.length).toBeGreaterThan(10_000);
    expect(bytes).not.toContain('canary');
    await expect(open(dataDir)).rejects.toMatchObject({ code: 'keys_unusable' });
    await expect(open(dataDir, await newKeys())).rejects.toThrow('other keys');
    expect((await operator.verifyStore({ dataDir })).status).toBe('verified');
    const audit = await operator.verifyAuditOfDirectory(dataDir, keys);
    expect(audit.broken_at).toBeNull();
    await expect(operator.verifyAuditOfDirectory(dataDir)).rejects.toThrow('encrypted');
  });

  test('ENC-7 answers queries and names as a plain keep does', async () => {
    const answersOf = async (encryption?: EncryptionOptions) => {
      await using keep = await open(await newDirectory(), encryption);
      const own = { project_id: 'p', agent_id: 'a', visibility: 'private' } as const;
      const who = { tenantId: 'acme', subjectId: 'ann', scopes: [own] };
      const memory = (await operator.agentFor(keep, who)).memory.in(own);
      const texts = ['Ann likes green tea.', 'Ann drinks coffee at noon.', 'Bob likes tea.'];
      for (const [at, text] of texts.entries()) {
        await memory.remember(text, { name: `note-${at}`, tags: [`tag-${at % 2}`] });
      }
      const recalled = await memory.recall('who likes tea', { limit: 2 });
      const named = await memory.read({ name: 'note-1' });
      return { recalled: recalled.map(({ text }) => text), named: named?.payload.content };
    };
    expect(await answersOf(await newKeys())).toEqual(await answersOf());
  });

  test('ENC-13 turns a plain store to encryption beside its work', async () => {
    const dataDir = await newDirectory();
    const plain = await open(dataDir);
    const id = await remember(plain, 'ann');
    await plain.close();
    expect(await bytesBelow(dataDir)).toContain('canary');
    const keys = await newKeys();
    const keep = await open(dataDir, keys);
    const agent = await agentOf(keep, 'ann');
    expect((await agent.memory.recall('canary')).length).toBe(1);
    // Freed pages may hold plain values, in snapshots too. A copy of the entries has none.
    const copied = async () => {
      const { path } = await operator.createSnapshot(keep);
      const copy = await newDirectory();
      await operator.copyStore({ from: { directory: path }, to: { directory: copy } });
      return bytesBelow(copy);
    };
    await expect.poll(copied).not.toContain('canary');
    await keep.close();
    await using again = await open(dataDir, keys);
    const found = await (await agentOf(again, 'ann')).memory.recall('canary');
    expect(found.map(({ record }) => record.record_id)).toEqual([id]);
  });

  test('ENC-9 leaves nothing of a subject readable once its key is destroyed', async () => {
    const dataDir = await newDirectory();
    const keys = await newKeys();
    const keep = await open(dataDir, keys);
    await remember(keep, 'ann');
    await remember(keep, 'bob');
    const { path } = await operator.createSnapshot(keep);
    const destroyed = await operator.encryptionKeys.destroy({
      ...keys,
      tenantId: 'acme',
      subjectId: 'ann',
    });
    expect(destroyed.key_id).toMatch(/^[0-9a-f]{32}$/u);
    await keep.close();
    // The keys are apart from the snapshot, so the copy from before is as unreadable.
    const restored = await newDirectory();
    await operator.restoreSnapshot({ snapshot: path, dataDir: restored });
    for (const directory of [dataDir, restored]) {
      await using opened = await open(directory, keys);
      const ann = await agentOf(opened, 'ann');
      await expect(ann.memory.recall('canary')).rejects.toMatchObject({ code: 'key_destroyed' });
      const bob = await agentOf(opened, 'bob');
      expect((await bob.memory.recall('canary')).length).toBe(1);
    }
  });

  test('ENC-10 notices a key that another process destroyed', async () => {
    const dataDir = await newDirectory();
    const keys = await newKeys();
    await using keep = await open(dataDir, keys);
    await remember(keep, 'ann');
    const ann = await agentOf(keep, 'ann');
    expect((await ann.memory.recall('canary')).length).toBe(1);
    await operator.encryptionKeys.destroy({ ...keys, tenantId: 'acme', subjectId: 'ann' });
    await expect
      .poll(() =>
        ann.memory.recall('canary').then(
          () => 'read',
          (error: unknown) => String(error),
        ),
      )
      .toContain('was destroyed');
  });
});
