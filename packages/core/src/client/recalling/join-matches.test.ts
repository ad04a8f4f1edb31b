/** How a recall joins what it finds by words with what it finds by an embedding. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { inMemoryStore } from '../../storage/in-memory-store/in-memory-store.js';
import { type Keep, openKeep } from '../../index.js';
import { agentFor } from '../../operator.js';
import type { ScopedMemory } from '../scoped-memory.js';

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

/** Creates a record at an hour. */
async function at(hour: number, primary: string, embedding: number[]) {
  await memory.create({
    episode_type: 'Observation',
    content: { primary, embedding },
    event_time_millis: 60 * MINUTE_MS * hour,
  });
}

/** Creates records, each a minute after the last. */
async function said(texts: readonly (readonly [text: string, embedding: number[]])[]) {
  for (const [minute, [primary, embedding]] of texts.entries()) {
    await memory.create({
      episode_type: 'Observation',
      content: { primary, embedding },
      event_time_millis: MINUTE_MS * minute,
    });
  }
}

test('a model that understands nothing changes none of the first answers by words', async () => {
  const near = Array.from({ length: 30 }, (_, at): [string, number[]] => {
    return [`Nothing of it, ${String(at)}.`, [1, at / 1_000]];
  });
  const words = Array.from({ length: 9 }, (_, at): [string, number[]] => {
    return [`saffron${' and more'.repeat(at)}`, [-1, at]];
  });
  await said([...near, ...words]);
  const byWords = textsOf(await memory.recall('saffron', { limit: 9 }));
  expect(byWords).toEqual(words.map(([text]) => text));
  expect(textsOf(await memory.recall('saffron', { limit: 9, vector: [1, 0] }))).toEqual(byWords);
});

test('a model counts as far as it finds what the words find, and more for short texts', async () => {
  const words = Array.from({ length: 9 }, (_, at): [string, number[]] => {
    return [`saffron${' and more'.repeat(at)}`, [1, 0, at / 100]];
  });
  const others = Array.from({ length: 30 }, (_, at): [string, number[]] => {
    return [`Another, ${String(at)}.`, [0, 1, at / 100]];
  });
  const long = `Much${', and on'.repeat(90)}.`;
  // Apart in time, so that none lends to another.
  for (const [hour, text] of [...words, ...others].entries()) await at(hour, ...text);
  await at(50, 'Near.', [1, 1, 0]);
  await at(60, long, [1, 1, 0.001]);
  const placesOf = async (vector: number[]) => {
    const found = textsOf(await memory.recall('saffron', { limit: 11, vector }));
    return ['Near.', long].map((text) => found.indexOf(text));
  };
  // For both vectors, the same two records are nearest; then the words, or the others.
  const [agreed, opposed] = [await placesOf([1, 0.9, 0]), await placesOf([0.9, 1, 0])];
  expect(agreed).toEqual([6, -1]);
  expect(opposed).toEqual([9, -1]);
});

test('a model counts where each record has few words of the question, and neighbours less', async () => {
  const words = Array.from({ length: 9 }, (_, index) => `saffron w${String(index)}`);
  await said([['Near.', [1, 0]]]);
  // Apart from it, two that are beside each other.
  await at(1, 'Yes.', [0.9, 0.44]);
  await at(1, 'No.', [0.9, 0.44]);
  for (const text of words) await memory.remember(text);
  const placesOf = async (question: string) => {
    const found = textsOf(await memory.recall(question, { limit: 12, vector: [1, 0] }));
    return ['Near.', 'Yes.'].map((text) => found.indexOf(text));
  };
  const [near, yes] = await placesOf(words.join(' ').replaceAll('saffron ', ''));
  expect([near, yes! > near!]).toEqual([1, true]);
  expect((await placesOf('saffron'))[0]).toBeGreaterThan(9);
  expect((await placesOf('?'))[0]).toBe(2);
});

test('with a vector, a short record counts for a near one beside it, a long one does not', async () => {
  const long = `Yes.${' And so on.'.repeat(30)}`;
  await said([
    ['Yes.', [0.8, 0.6]],
    ['Shall we climb a mountain?', [1, 0]],
    [long, [0.8, 0.6]],
  ]);
  // Alone, both answers are as near as a later record.
  const at = 60 * MINUTE_MS;
  const content = { primary: 'Tea.', embedding: [0.81, 0.58] };
  await memory.create({ episode_type: 'Observation', content, event_time_millis: at });
  const found = await memory.recall('?', { vector: [1, 0] });
  expect(textsOf(found)).toEqual(['Shall we climb a mountain?', 'Yes.', 'Tea.', long]);
});
