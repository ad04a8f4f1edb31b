/** Embeddings by the model of the package, as an agent uses them. */
import { inMemoryStore, openKeep } from '@agentkeep/core';
import { agentFor } from '@agentkeep/core/operator';
import { type Meaning, meaning, MEANING_SPACE } from '@agentkeep/meaning';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** One for all tests, since each takes a second of the processor to load. */
let model: Meaning;
const asked = { kind: 'record', signal: new AbortController().signal } as const;

beforeAll(() => {
  model = meaning();
});

afterAll(() => model.close());

const cosine = (one: readonly number[], other: readonly number[]) =>
  one.reduce((sum, value, index) => sum + value * (other[index] ?? NaN), 0);

test('texts that mean the same are near, and each has 512 numbers of unit length', async () => {
  const texts = ['How old are you?', 'What is your age?', 'The bridge is closed for repairs.'];
  const [one, other, far] = await model(texts, asked);
  expect([one?.length, other?.length, far?.length]).toEqual([512, 512, 512]);
  expect(cosine(one!, one!)).toBeCloseTo(1, 4);
  expect(cosine(one!, other!)).toBeGreaterThan(0.7);
  expect(cosine(one!, far!)).toBeLessThan(0.4);
});

test.each([
  ['German', 'Die Besprechung wurde auf Freitag verschoben.'],
  ['French', 'La réunion est reportée à vendredi.'],
  ['Spanish', 'La reunión se aplazó hasta el viernes.'],
  ['Polish', 'Spotkanie zostało przełożone na piątek.'],
  ['Russian', 'Встреча перенесена на пятницу.'],
  ['Japanese', '会議は金曜日に延期されました'],
  ['nothing', ''],
])('%s has no embedding', async (_name, text) => {
  expect(await model([text, 'The meeting was moved to Friday.'], asked)).toEqual([
    [],
    expect.objectContaining({ length: 512 }),
  ]);
});

test('a query does not wait for the records before it', async () => {
  const done: string[] = [];
  const records = Array.from({ length: 32 }, (_, index) => `Record number ${index} about tea.`);
  const all = model(records, asked).then(() => done.push('records'));
  const query = model(['tea'], { ...asked, kind: 'query' }).then(() => done.push('query'));
  await Promise.all([all, query]);
  expect(done).toEqual(['query', 'records']);
});

test('a long text takes part by its beginning, and half a character does no harm', async () => {
  const begin = 'The meeting about the budget was moved to Friday. '.repeat(100);
  const [long, longer, half] = await model(
    [begin, `${begin}And so on.`, 'We had green tea in the garden \uD83D'],
    asked,
  );
  expect(long).toEqual(longer);
  expect(half).toHaveLength(512);
});

test('what waits is refused when the model is closed, and a later text starts it again', async () => {
  const waiting = model(['tea', 'milk'], asked);
  const refused = expect(waiting).rejects.toThrow('closed');
  await model.close();
  await refused;
  expect((await model(['tea'], asked))[0]).toHaveLength(512);
});

test('a caller that has ended costs the model nothing', async () => {
  const ending = new AbortController();
  const first = model(['tea'], asked);
  const ended = model(['milk'], { kind: 'record', signal: ending.signal });
  ending.abort();
  await expect(ended).rejects.toThrow('ended');
  expect(await first).toHaveLength(1);
});

test('an agent finds what was said in other words, and another language by its words', async () => {
  await using keep = await openKeep({ store: inMemoryStore(), embed: model });
  const { memory } = await agentFor(keep, { subject: 'ann' });
  await memory.remember('The car is in the garage for repairs.');
  await memory.remember('We had soup and bread at noon.');
  await memory.remember('Das Auto ist in der Werkstatt.');
  expect(await memory.embedded()).toMatchObject({ attached: 2, skipped: 1, missed: 0 });
  expect((await memory.spaces.list()).spaces.map(({ space }) => space)).toContain(MEANING_SPACE);
  expect((await memory.recall('What did you eat for lunch?'))[0]?.text).toBe(
    'We had soup and bread at noon.',
  );
  const [german] = await memory.recall('Wo ist das Auto?', { language: 'german' });
  expect(german?.text).toBe('Das Auto ist in der Werkstatt.');
});
