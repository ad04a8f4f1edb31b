/** Embeddings that follow the writes of agents (docs/contract/search.md#sea-46). */
import { expect, test } from 'vitest';
import { openKeep } from '../keep/open-keep.js';
import { agentFor } from '../operator.js';
import { inMemoryStore } from '../storage/in-memory-store/in-memory-store.js';
import { type Embed, Embeddings } from './embeddings.js';
import type { CallOperation } from './call.js';

const scope = { project_id: 'p', agent_id: 'a', visibility: 'shared' } as const;
const helper = { tenantId: 'acme', subjectId: 'h', scopes: [scope] };
const record = (primary: string, embedding: number[] | null = null) => ({
  episode_type: 'Observation' as const,
  content: { primary, embedding },
  event_time_millis: 0,
});

/** Counts two letters. */
const letters: Embed = (texts) =>
  Promise.resolve(texts.map((text) => ['a', 'b'].map((letter) => text.split(letter).length - 1)));

/** Attaches everything and remembers it. */
function recordingCall(): { readonly call: CallOperation; readonly seen: unknown[] } {
  const seen: unknown[] = [];
  const call = ((_name: string, { document }: { document: { embeddings: unknown[] } }) => {
    seen.push(...document.embeddings);
    return Promise.resolve({ outcomes: document.embeddings.map(() => ({ is_attached: true })) });
  }) as unknown as CallOperation;
  return { call, seen };
}

const unembedded = (recordId: string, text = 'a') => ({ scope, recordId, revision: 1, text });

test('what agents write is found by its meaning once its embedding has followed', async () => {
  await using keep = await openKeep({ store: inMemoryStore(), embed: letters });
  const { memory } = await agentFor(keep, helper);
  const made = await memory.in(scope).create(record('aab'));
  await memory.in(scope).put('n', record('bb'));
  await memory.batch([{ scope, operation: { type: 'create', record: record('aa') } }]);
  await memory.in(scope).create(record('aaa', [0, 1]));
  const found = async () => {
    const options = { order: 'nearest', vector: { text: 'a' } } as const;
    const { matches } = await memory.in(scope).searchPage({}, options);
    return matches.map(({ record: { payload } }) => payload.content.primary);
  };
  const report = await memory.embedded();
  expect(report).toEqual({
    ...{ attached: 3, outdated: 0, skipped: 0, missed: 0 },
    lastError: undefined,
  });
  expect(await found()).toEqual(['aa', 'aab', 'aaa', 'bb']);
  const { record_id: recordId } = made;
  await memory.in(scope).update({ recordId, expectedRevision: 1 }, record('b'));
  expect((await memory.embedded()).attached).toBe(4);
  expect(await found()).toEqual(['aa', 'aaa', 'bb', 'b']);
});

test('a text that the model does not understand is found by words, and its space is named', async () => {
  const known = (text: string) => (text.includes('é') ? [] : [text.length, 1]);
  const embed: Embed = Object.assign(
    (texts: readonly string[]) => Promise.resolve(texts.map(known)),
    { space: 'lengths' },
  );
  await using keep = await openKeep({ store: inMemoryStore(), embed });
  const memory = (await agentFor(keep, helper)).memory.in(scope);
  await memory.create(record('thé vert'));
  await memory.create(record('green tea'));
  expect(await memory.embedded()).toMatchObject({ attached: 1, skipped: 1, outdated: 0 });
  expect((await memory.spaces.list()).spaces.map(({ space }) => space)).toContain('lengths');
  expect((await memory.recall('thé')).map(({ text }) => text)).toEqual(['thé vert']);
  expect(await memory.embedQuery('thé')).toEqual([]);
  const search = memory.searchPage({}, { order: 'nearest', vector: { text: 'thé' } });
  await expect(search).rejects.toMatchObject({
    code: 'invalid_request',
    members: [{ path: 'vector.text' }],
  });
  expect(await memory.embedMissing()).toBe(0);
});

test('a write is answered while no embedding can be made', async () => {
  const embed: Embed = () => new Promise(() => undefined);
  const keep = await openKeep({ store: inMemoryStore(), embed });
  const { memory } = await agentFor(keep, helper);
  await memory.in(scope).create(record('a'));
  const { matches } = await memory.in(scope).searchPage({ words: { text: 'a' } });
  expect(matches.length).toBe(1);
  await keep.close();
  expect(await memory.embedded()).toMatchObject({ attached: 0, missed: 1 });
});

test('a new model is filled in beside the old one, becomes the default, and the old one goes', async () => {
  const store = inMemoryStore();
  const capitals: Embed = (texts) =>
    Promise.resolve(texts.map((text) => [text.length, text.replace(/[^A-Z]/gu, '').length, 1]));
  await using old = await openKeep({ store, embed: letters });
  const before = (await agentFor(old, { subject: 'ann' })).memory;
  await before.remember('Tea');
  await before.embedded();

  await using renewed = await openKeep({ store, embed: capitals, embeddingSpace: 'capitals' });
  const { memory } = await agentFor(renewed, { subject: 'ann' });
  await memory.remember('MILK');
  expect((await memory.embedded()).attached).toBe(1);
  const nearest = (text: string) => ({ order: 'nearest', vector: { text } }) as const;
  const found = async (text: string) => (await memory.searchPage({}, nearest(text))).matches.length;
  expect([await found('tea'), await memory.embedMissing(), await found('tea')]).toEqual([1, 1, 2]);
  // The program with the old model still finds by it.
  expect((await before.searchPage({}, nearest('tea'))).matches).toHaveLength(1);

  const { default_space } = await memory.spaces.use('capitals');
  const { spaces } = await memory.spaces.drop('default');
  expect([default_space, spaces.map(({ space }) => space)]).toEqual([
    'capitals',
    ['capitals', 'default'],
  ]);
  expect(await memory.spaces.list()).toEqual({ default_space, spaces });
  const inDefault = { embedded: true };
  expect((await memory.searchPage(inDefault, { space: 'default' })).matches).toEqual([]);
  expect((await memory.searchPage(inDefault)).matches).toHaveLength(2);
  expect((await memory.recall('milk'))[0]?.distance).toBeDefined();
});

test('embedMissing() embeds what others wrote', async () => {
  const store = inMemoryStore();
  await using keep = await openKeep({ store });
  const { memory } = await agentFor(keep, helper);
  await memory.in(scope).create(record('a'));
  await memory.in(scope).create(record(' '));
  await expect(memory.in(scope).embedMissing()).rejects.toMatchObject({
    code: 'invalid_request',
    members: [{ path: 'embed' }],
  });
  const embeddings = new Embeddings(letters);
  const { call, seen } = recordingCall();
  expect(await embeddings.embedNow(call, [unembedded('1'), unembedded('2', 'ab')])).toBe(2);
  expect(seen).toMatchObject([{ values: [1, 0] }, { values: [1, 1] }]);
});

test('a failure is repeated with growing delays, and no other record is lost', async () => {
  const delays: number[] = [];
  let failures = 3;
  const flaky: Embed = (texts, request) => {
    failures -= 1;
    return failures >= 0 ? Promise.reject(new Error('busy')) : letters(texts, request);
  };
  const embeddings = new Embeddings(flaky, {
    wait: (ms) => {
      delays.push(ms);
      return Promise.resolve();
    },
  });
  const { call, seen } = recordingCall();
  embeddings.add(call, [unembedded('1'), unembedded('2')]);
  expect(await embeddings.settled()).toMatchObject({ attached: 2, missed: 0 });
  expect(delays).toEqual([1_000, 2_000, 4_000]);
  expect(seen.length).toBe(2);
});

test('what fails 8 times is given up, with its error', async () => {
  const broken = new Error('no model');
  const embeddings = new Embeddings(() => Promise.reject(broken), {
    wait: () => Promise.resolve(),
  });
  embeddings.add(recordingCall().call, [unembedded('1')]);
  expect(await embeddings.settled()).toMatchObject({ attached: 0, missed: 1, lastError: broken });
});

test('a function that returns too few vectors is not called again', async () => {
  let calls = 0;
  const embeddings = new Embeddings(() => {
    calls += 1;
    return Promise.resolve([]);
  });
  embeddings.add(recordingCall().call, [unembedded('1')]);
  const { missed, lastError } = await embeddings.settled();
  expect([calls, missed]).toEqual([1, 1]);
  expect(lastError).toMatchObject({ members: [{ path: 'embed' }] });
});

test('a full queue gives further records up', async () => {
  const embeddings = new Embeddings(letters);
  const many = Array.from({ length: 10_001 }, (_, index) => unembedded(String(index)));
  embeddings.add(recordingCall().call, many);
  expect(await embeddings.settled()).toMatchObject({ attached: 10_000, missed: 1 });
});

test('one call attaches no more numbers than its body has room for', async () => {
  const sizes: number[] = [];
  const call = ((_name: string, { document }: { document: { embeddings: unknown[] } }) => {
    sizes.push(document.embeddings.length);
    return Promise.resolve({ outcomes: document.embeddings.map(() => ({ is_attached: false })) });
  }) as unknown as CallOperation;
  const embeddings = new Embeddings((texts) =>
    Promise.resolve(texts.map(() => Array<number>(4_096).fill(0.123_456_789_012_345_6))),
  );
  embeddings.add(
    call,
    Array.from({ length: 20 }, (_, index) => unembedded(String(index))),
  );
  expect(await embeddings.settled()).toMatchObject({ attached: 0, outdated: 20 });
  expect(sizes).toEqual([8, 8, 4]);
});

test('the vector of a query is made once for all its pages', async () => {
  let calls = 0;
  const embeddings = new Embeddings((texts, request) => {
    calls += request.kind === 'query' ? 1 : 0;
    return letters(texts, request);
  });
  const all = await Promise.all([embeddings.query('ab'), embeddings.query('ab')]);
  expect([all, calls]).toEqual([
    [
      [1, 1],
      [1, 1],
    ],
    1,
  ]);
});
