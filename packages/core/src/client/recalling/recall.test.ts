/** Recall: what answers a question, in which order, and within which budget. */
import fc from 'fast-check';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { inMemoryStore } from '../../storage/in-memory-store/in-memory-store.js';
import { type Keep, openKeep } from '../../index.js';
import { agentFor } from '../../operator.js';
import type { ScopedMemory } from '../scoped-memory.js';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import type { ErrorCode } from '../../contract/errors/catalogue.js';
import { recallFrom } from './recall-from.js';
import { wordsOfQuestion } from './recollection.js';

const MINUTE_MS = 60_000;
let keep: Keep;
let memory: ScopedMemory;

beforeEach(async () => {
  keep = await openKeep({ store: inMemoryStore() });
  const agent = await agentFor(keep, { subject: 'ann' });
  memory = agent.memory.in({ project_id: 'default', agent_id: 'default', visibility: 'private' });
});

afterEach(() => keep.close());

const textsOf = (found: readonly { readonly text: string }[]) => found.map(({ text }) => text);

test('rare words of the question decide, in all their forms, and short texts come first', async () => {
  await memory.remember('Ann likes tea.');
  await memory.remember('Ann was climbing in the Alps.');
  await memory.remember('Ann likes rain.');
  const found = await memory.recall('What does Ann like to climb?');
  expect(textsOf(found)).toEqual([
    'Ann was climbing in the Alps.',
    'Ann likes tea.',
    'Ann likes rain.',
  ]);
  expect(found[0]?.terms).toEqual([
    { text: 'Ann', records: 3, times: 1 },
    { text: 'climb', records: 1, times: 1 },
  ]);
});

test('what was said right before or after counts half', async () => {
  const at = Date.parse('2026-01-01');
  await memory.remember('Which mountain did you climb in the Alps?', { at });
  await memory.remember('The highest one, with Bob.', { at: at + 1_000 });
  await memory.remember('The highest tower.', { at: at + 60 * MINUTE_MS });
  const [first, second, third] = await memory.recall('the highest mountain of the Alps');
  expect(textsOf([first!, second!, third!])).toEqual([
    'Which mountain did you climb in the Alps?',
    'The highest one, with Bob.',
    'The highest tower.',
  ]);
  expect(second?.nearby.map(({ text }) => text)).toEqual(['mountain', 'Alps']);
  expect(third?.nearby).toEqual([]);
});

test('a budget leaves out what does not fit, and a function may measure it', async () => {
  await memory.remember('tea and a very long story');
  await memory.remember('tea');
  expect(textsOf(await memory.recall('tea', { bytes: 10 }))).toEqual(['tea']);
  const sizeOf = (text: string) => text.split(' ').length;
  expect(await memory.recall('tea', { bytes: 7, sizeOf })).toHaveLength(2);
  expect(await memory.recall('tea', { bytes: 6, sizeOf })).toHaveLength(1);
  expect(await memory.recall('tea', { limit: 1 })).toHaveLength(1);
});

// ASO-16
test('says how many records are missing from the state that it recalls from', async () => {
  const { record_id: gone } = await memory.remember('Ann likes tea.');
  await memory.remember('Bob likes tea.');
  const { next_after: cursor } = await memory.changesPage({ after: 'latest' });
  await memory.delete({ recordId: gone, expectedRevision: 1 });
  const missing: number[] = [];
  const onMissing = (records: number): void => {
    missing.push(records);
  };
  await expect(memory.recall('tea', { asOf: { cursor }, onMissing })).rejects.toMatchObject({
    code: 'history_gone',
  });
  const asOf = { cursor, missing: 'left_out' } as const;
  expect(textsOf(await memory.recall('tea', { asOf, onMissing }))).toEqual(['Bob likes tea.']);
  expect(missing).toEqual([1]);
  // Whatever the question, with a conversation around each, and in a count.
  expect(await memory.recall('nothing of this', { asOf, onMissing })).toEqual([]);
  await memory.recall('tea', { asOf, onMissing, around: 2 });
  expect((await memory.count({}, { asOf, onMissing })).matches).toBe(1);
  expect(missing).toEqual([1, 1, 1, 1]);
  await memory.recall('?', { asOf, onMissing });
  await memory.recall('tea', { onMissing });
  await memory.count({}, { onMissing });
  expect(missing).toEqual([1, 1, 1, 1]);
});

test('says so for a question with an embedding too', async () => {
  const { record_id: gone } = await memory.remember('Ann likes tea.');
  await memory.remember('Bob likes tea.');
  const { next_after: cursor } = await memory.changesPage({ after: 'latest' });
  await memory.delete({ recordId: gone, expectedRevision: 1 });
  const missing: number[] = [];
  const asOf = { cursor, missing: 'left_out' } as const;
  const onMissing = (records: number): void => {
    missing.push(records);
  };
  const found = await memory.recall('tea', { asOf, onMissing, vector: [1, 0] });
  expect([textsOf(found), missing]).toEqual([['Bob likes tea.'], [1]]);
});

test('a long text is recalled as its best passage, which counts in the budget', async () => {
  const filler = 'Nothing of note was said on this day. ';
  const long = filler.repeat(100) + 'He sells saffron at the harbour. ' + filler.repeat(100);
  await memory.remember(long);
  const [found] = await memory.recall('saffron', { bytes: 2_000 });
  expect(found?.record.payload.content.primary).toBe(long);
  const { from, to } = found!.passage!;
  expect(found?.text).toBe(long.slice(from, to));
  expect(found?.text).toContain('He sells saffron at the harbour.');
  const [short] = await memory.recall('saffron', { bytes: 300, passageBytes: 256 });
  expect(short?.text.length).toBeLessThanOrEqual(256);
  const [whole] = await memory.recall('saffron', { passageBytes: Infinity });
  expect([whole?.text, whole?.passage]).toEqual([long, undefined]);
  for (const passageBytes of [0, 255, 65_537, 256.5, Number.NaN]) {
    await expect(memory.recall('saffron', { passageBytes })).rejects.toMatchObject({
      members: [expect.objectContaining({ path: 'passageBytes' })],
    });
  }
});

test('a passage is that of the text as it is now, however often it was asked for', async () => {
  const textOf = (where: number) =>
    Array.from({ length: 60 }, (_, at) =>
      at === where ? 'The saffron is here.' : `Sentence ${at} is about the weather.`,
    ).join(' ');
  const { record_id: recordId } = await memory.remember(textOf(50));
  const passage = async () => {
    const [found] = await memory.recall('saffron', { passageBytes: 256 });
    return found?.text;
  };
  const first = await passage();
  expect(first).toContain('The saffron is here.');
  for (let times = 0; times < 18; times += 1) expect(await passage()).toBe(first);
  const target = { recordId, expectedRevision: 1 };
  await memory.update(target, { content: { primary: textOf(3) } });
  const changed = await passage();
  expect(changed).toContain('The saffron is here. Sentence 4 ');
  for (let times = 0; times < 18; times += 1) expect(await passage()).toBe(changed);
  await memory.delete({ recordId, expectedRevision: 2 });
  expect(await passage()).toBeUndefined();
});

test('a long text that is found by its embedding alone is recalled from its start', async () => {
  const content = { primary: `${'é'.repeat(200)} ends`, embedding: [1, 0] };
  await memory.create({ content });
  const [found] = await memory.recall('nothing', { vector: [1, 0], passageBytes: 257 });
  expect([found?.text, found?.passage]).toEqual(['é'.repeat(128), { from: 0, to: 128 }]);
});

test('around adds the turns before and after, and they count in the budget', async () => {
  const at = Date.parse('2026-01-01');
  const said = ['one', 'two', 'tea', 'four', 'five'];
  for (const [turn, text] of said.entries()) await memory.remember(text, { at: at + turn });
  const [found] = await memory.recall('tea', { around: 2 });
  const shown = [...found!.before!, found!.record, ...found!.after!];
  expect(shown.map(({ payload }) => payload.content.primary)).toEqual(said);
  expect(await memory.recall('tea', { around: 1, bytes: 9 })).toEqual([]);
  expect(await memory.recall('tea', { around: 1, bytes: 10 })).toHaveLength(1);
});

/** A model that knows that some words mean the same. */
const meanings = ['mountain alps climb', 'drink tea coffee'];
const embedOne = (text: string) =>
  meanings.map((words) => words.split(' ').filter((word) => text.includes(word)).length);

test('with `embed`, what is said in other words is found, and words count too', async () => {
  await using embedding = await openKeep({
    store: inMemoryStore(),
    embed: (texts) => Promise.resolve(texts.map(embedOne)),
  });
  const agent = await agentFor(embedding, { subject: 'ann' });
  for (const text of ['Ann went to the alps.', 'Ann has rain.', 'Bob had coffee.']) {
    await agent.memory.remember(text);
  }
  await agent.memory.embedded();
  const found = await agent.memory.recall('Which mountain does Ann like?');
  expect(found.map(({ text, terms, distance }) => [text, terms.length, distance])).toEqual([
    ['Ann went to the alps.', 1, 0],
    ['Ann has rain.', 1, undefined],
    ['Bob had coffee.', 0, 1],
  ]);
  // A question without a word that the model knows, and one without a word.
  expect(textsOf(await agent.memory.recall('rain'))).toEqual(['Ann has rain.']);
  expect(await agent.memory.recall('?!')).toEqual([]);
});

test('a vector of the caller does as well, and needs no words', async () => {
  await memory.create({
    episode_type: 'Observation',
    content: { primary: 'Ann went to the alps.', embedding: [1, 0] },
    event_time_millis: 0,
  });
  await memory.remember('Ann has rain.');
  const [best] = await memory.recall('mountain', { vector: [1, 0] });
  expect([best?.text, best?.distance]).toEqual(['Ann went to the alps.', 0]);
  expect(textsOf(await memory.recall('?', { vector: [1, 0] }))).toEqual(['Ann went to the alps.']);
  await expect(memory.recall('?', { vector: [1] })).rejects.toMatchObject({
    code: 'invalid_request',
    members: [{ path: 'vector.values' }],
  });
});

test('LIN-6 a filter by source leaves what the user said', async () => {
  await memory.remember('I like tea.', { source: 'user' });
  await memory.remember('Tea is good.', { source: 'model' });
  await memory.remember('Tea in general.');
  expect(await memory.recall('tea')).toHaveLength(3);
  const own = await memory.recall('tea', { filter: { sources: ['user'] } });
  expect(textsOf(own)).toEqual(['I like tea.']);
});

test('a question is no syntax, and one without a word finds nothing', async () => {
  await memory.remember('tea');
  expect(textsOf(await memory.recall('"tea" milk*'))).toEqual(['tea']);
  expect(await memory.recall('?! "*"')).toEqual([]);
  await expect(memory.recall(undefined as never)).rejects.toMatchObject({
    code: 'invalid_request',
    members: [{ path: 'question' }],
  });
  await expect(memory.recall('tea', { limits: 1 } as never)).rejects.toMatchObject({
    code: 'invalid_request',
  });
});

test('a clause without spaces is looked for by its parts', async () => {
  await memory.remember('アンは東京でお茶を飲みます。');
  await memory.remember('アンは雨が好きです。');
  expect(wordsOfQuestion('東京のお茶？')).toBe('東京 京の のお お茶');
  expect(textsOf(await memory.recall('東京のお茶は？'))[0]).toBe('アンは東京でお茶を飲みます。');
});

test.each([
  ['a noun with a particle', '배포는 금요일에 합니다.', '배포'],
  ['a noun with another particle', '서울에서 만났어요.', '서울은 어때요?'],
  ['a Latin name before Hangul', 'Slack에서 알림을 보냅니다.', 'Slack'],
  ['an Arabic noun with its article', 'موعد الاجتماع يوم الثلاثاء', 'اجتماع'],
  ['an Arabic noun without its article', 'حجز موعد اجتماع', 'الاجتماع'],
  ['a decomposed name', 'Sen\u0303ora Nu\u0301n\u0303ez called', 'Núñez'],
  ['Hangul of single letters', '회의는 월요일입니다'.normalize('NFD'), '월요일'],
  ['half-width kana', 'ｶﾞｲﾄﾞを読む', 'ガイド'],
  ['full-width digits', '会議室は３０１です', '301'],
  ['a soft hyphen', 'The con\u00adnec\u00adtion broke', 'connection'],
])('SEA-8, SEA-49 finds %s', async (_name, text, question) => {
  await memory.remember('Nothing of it.');
  await memory.remember(text);
  expect(textsOf(await memory.recall(question))).toEqual([text]);
});

test('no text makes a recall fail', async () => {
  const script = (min: number, max: number) =>
    fc.integer({ min, max }).map((code) => String.fromCodePoint(code));
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.string({ unit: script(0x4e00, 0x9fff), maxLength: 200 }),
    fc.string({ unit: script(0x0e00, 0x0e7f), maxLength: 200 }),
    fc.string({
      unit: fc.constantFrom('a', 'ß', '*', '"', ' ', '\u{20bb7}', '\ud842'),
      maxLength: 99,
    }),
  );
  const property = fc.asyncProperty(text, async (each) => {
    expect(await memory.recall(each)).toEqual([]);
  });
  await fc.assert(property, { seed: inject('seed'), numRuns: 300 });
});

test('of too many words, the longest are looked for', () => {
  const words = Array.from({ length: 40 }, (_, at) => 'w'.repeat(at + 1));
  expect(wordsOfQuestion(words.join(' ')).split(' ')).toEqual(words.slice(8));
  const huge = `${'x'.repeat(2_000)} tea`;
  expect(wordsOfQuestion(huge)).toBe('tea');
});

test('an agent with one scope needs to name none; one with several does', async () => {
  const agent = await agentFor(keep, { subject: 'ann' });
  await agent.memory.remember('tea');
  expect(textsOf(await agent.memory.recall('tea'))).toEqual(['tea']);
  const scopes = ['a', 'b'].map(
    (agent_id) => ({ project_id: 'p', agent_id, visibility: 'shared' }) as const,
  );
  const both = await agentFor(keep, { subject: 'bob', scopes });
  await both.memory.remember('milk in a');
  await both.memory.in(scopes[1]!).remember('milk in b');
  expect(textsOf(await both.memory.recall('milk'))).toEqual(['milk in a']);
  expect(await both.memory.recall('milk', { scopes })).toHaveLength(2);
});

test('words answer where the server refuses the text of a question, but hide no fault', async () => {
  const page = { matches: [], next_cursor: null, scanned_records: 0, meaning_space: 'small' };
  const recalledWith = (code: ErrorCode, ...paths: readonly string[]) => {
    const members = paths.map((path) => ({ path, reason: 'invalid', expected: 'x' }) as const);
    const searches = {
      embeds: false,
      embeddingSpace: undefined,
      embedQuery: () => Promise.reject(new Error('It has no model.')),
      searchPage: (_filter: unknown, { order }: { readonly order: string }) =>
        order === 'nearest'
          ? Promise.reject(new AgentkeepError(code, { members }))
          : Promise.resolve(page),
      search: () => Promise.reject(new Error('Nothing was found.')),
    };
    const place = { scopes: [], server: { embeds: true } };
    return recallFrom(searches as never, place, 'tea');
  };
  expect(await recalledWith('invalid_request', 'vector.text')).toEqual([]);
  const another = recalledWith('invalid_request', 'space');
  await expect(another).rejects.toMatchObject({ code: 'invalid_request' });
  await expect(recalledWith('internal_error')).rejects.toMatchObject({ code: 'internal_error' });
});
