/** Embeddings that agents make of what they write and look for, in process and over HTTP. */
import { type Agent, type Embed, inMemoryStore, openKeep, type ScopeInput } from '@agentkeep/core';
import { bootstrapTenant } from '@agentkeep/core/operator';
import { expect, test } from 'vitest';
import { connect } from '../src/client.js';
import { createServer } from '../src/http/create-server.js';

const scope: ScopeInput = { project_id: 'p', agent_id: 'a', visibility: 'shared' };

/** Counts two letters, with something more for queries. */
const letters: Embed = (texts, { kind }) =>
  Promise.resolve(
    texts.map((text) =>
      ['a', 'b'].map((letter) => text.split(letter).length - 1 + (kind === 'query' ? 0.01 : 0)),
    ),
  );

/** Returns the secret of a writer of the scope. */
async function secretOf(admin: Agent): Promise<string> {
  const { secret } = await admin.credentials.issue({
    subject_id: 'writer',
    capabilities: ['memory_read', 'memory_write'],
    grants: [scope],
  });
  return secret;
}

const record = (primary: string) => ({
  episode_type: 'Observation' as const,
  content: { primary },
  event_time_millis: 0,
});

test('a client embeds what it writes, misses nothing, and finds it by texts', async () => {
  await using keep = await openKeep({ store: inMemoryStore() });
  const { secret: admin } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  const secret = await secretOf(await keep.authenticate(admin));
  const { request: fetch } = createServer(keep);
  const plain = connect({ url: 'http://localhost', secret, fetch });
  await plain.memory.in(scope).create(record('bbb'));
  const { memory } = connect({ url: 'http://localhost', secret, fetch, embed: letters });
  await memory.in(scope).create(record('aaa'));
  for await (const { outcomes } of memory.in(scope).createMany([record('aab'), record('b')])) {
    expect(outcomes.length).toBe(2);
  }
  expect(await memory.embedded()).toMatchObject({ attached: 3, missed: 0 });
  expect(await memory.in(scope).embedMissing()).toBe(1);
  expect(await memory.in(scope).embedMissing()).toBe(0);
  const texts: string[] = [];
  const options = {
    order: 'hybrid',
    words: { text: 'b' },
    vector: { text: 'a' },
    limit: 1,
  } as const;
  for await (const { record: found } of memory.in(scope).search({}, options)) {
    texts.push(found.payload.content.primary);
  }
  expect(texts).toEqual(['b', 'aaa', 'aab', 'bbb']);
  const unmade = plain.memory.in(scope).searchPage({}, { order: 'nearest', vector: { text: 'a' } });
  await expect(unmade).rejects.toMatchObject({ members: [{ path: 'vector.text' }] });
});

test('an agent shows the embedding of a query, as its searches use it', async () => {
  await using keep = await openKeep({ store: inMemoryStore() });
  const { secret } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  const { request: fetch } = createServer(keep);
  const at = { url: 'http://localhost', secret, fetch };
  expect(await connect({ ...at, embed: letters }).memory.embedQuery('aab')).toEqual([2.01, 1.01]);
  const refused = connect(at).memory.embedQuery('aab');
  await expect(refused).rejects.toMatchObject({ members: [{ path: 'embed' }] });
});

test('openKeep() refuses an embed that is no function', async () => {
  const wrong = openKeep({ store: inMemoryStore(), embed: 'model' as never });
  await expect(wrong).rejects.toMatchObject({ members: [{ path: 'embed' }] });
});
