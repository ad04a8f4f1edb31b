/** A keep works on while a test of its users has replaced the timers of its process. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { inMemoryStore, openKeep } from '../src/index.js';
import { agentFor } from '../src/operator.js';

const scope = { project_id: 'shop', agent_id: 'desk', visibility: 'private' } as const;

async function dataDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'agentkeep-timers-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  return directory;
}

/** What jest replaces by itself too. */
const everything = [
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'setImmediate',
  'clearImmediate',
  'performance',
  'queueMicrotask',
  'Date',
] as const;

test.each(['in memory', 'on disk'])('searches and writes under fake timers: %s', async (kind) => {
  const dataDir = kind === 'on disk' ? await dataDirectory() : undefined;
  vi.useFakeTimers({ toFake: [...everything] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const keep = await openKeep(dataDir === undefined ? { store: inMemoryStore() } : { dataDir });
  const agent = await agentFor(keep, { tenantId: 't', subjectId: 's', scopes: [scope] });
  const memory = agent.memory.in(scope);
  for (const text of ['two apples', 'two pears', 'two plums']) {
    await memory.create({ content: { primary: text } });
  }
  const found = await Promise.all(
    Array.from({ length: 3 }, () => memory.searchPage({ words: { text: 'two' } })),
  );
  expect(found.map(({ matches }) => matches.length)).toEqual([3, 3, 3]);
  expect(await agent.memory.recall('pears')).toHaveLength(1);
  expect((await memory.changesPage()).changes).toHaveLength(3);
  await keep.close();
});
