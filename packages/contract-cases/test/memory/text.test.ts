/** How the text of a query is matched (docs/contract/memory.md#mem-64). */
import { describe, expect } from 'vitest';
import { result } from '../harness/answer.js';
import { createAll } from '../harness/caller.js';
import { recordOf, scope } from '../harness/documents.js';
import { bothWays } from '../harness/fixture.js';

describe('text', () => {
  /** Queries with texts that match and texts that do not. */
  const folds: readonly (readonly [query: string, hits: string[], misses: string[]])[] = [
    ['abc', ['abc', 'ABC', 'xAbCx'], ['ab c', 'ab', 'ácb']],
    ['σ', ['Σ', 'σ', 'ς', 'ΟΔΟΣ', 'οδος'], ['s', 'o']],
    ['ΟΔΟΣ', ['οδος', 'οδοσ', 'Οδος'], ['οδο']],
    ['k', ['K', 'k', '\u212a'], ['q']],
    ['\u212aelvin', ['kelvin', 'KELVIN'], ['elvin']],
    ['s', ['S', 's', 'ſ'], ['ß', 'ẞ']],
    ['ẞ', ['ß', 'ẞ', 'STRAẞE'], ['ss', 'SS', 'strasse']],
    ['straße', ['STRAẞE', 'Straße'], ['STRASSE']],
    ['İ', ['İ'], ['i', 'I', 'ı', 'i\u0307']],
    ['i', ['I', 'i', 'i\u0307'], ['İ', 'ı']],
    ['ı', ['ı'], ['i', 'I', 'İ']],
    ['é', ['É', 'é'], ['e', 'e\u0301']],
    ['e\u0301', ['E\u0301', 'e\u0301'], ['é']],
    ['å', ['Å', '\u212b'], ['a']],
    ['µ', ['µ', 'μ', 'Μ'], ['m']],
    ['я', ['Я', 'я'], ['R']],
    ['𐐨', ['𐐀', '𐐨'], ['𐐩']],
    ['ꭰ', ['Ꭰ', 'ꭰ'], ['D']],
    ['ﬁ', ['ﬁ'], ['fi', 'FI']],
    ['ǆ', ['Ǆ', 'ǅ', 'ǆ'], ['dž']],
    ['%', ['100%'], ['100']],
    ['.*', ['a.*b'], ['ab']],
    [' ', ['a b'], ['ab', 'a\u00a0b']],
    ['\u0000', ['a\u0000b'], ['ab']],
    ['😀', ['x😀y'], ['😁']],
  ];

  bothWays('both sides are folded alike, code point by code point', async (t) => {
    const agent = await t.agent();
    for (const [text_contains, hits, misses] of folds) {
      const ids = await createAll(
        agent,
        [...hits, ...misses].map((primary) => recordOf({ primary })),
      );
      const found = await agent.found(scope, { text_contains });
      const expected = ids.slice(0, hits.length);
      expect(
        found.filter((id) => ids.includes(id)),
        text_contains,
      ).toEqual(expected);
      const pattern = new RegExp(text_contains.replaceAll(/[.*]/g, '\\$&'), 'iu');
      expect([...hits, ...misses].filter((text) => pattern.test(text))).toEqual(hits);
      for (const id of ids) result(await agent.delete(scope, [id, 1]));
    }
  });

  bothWays('each of the three parts is searched separately', async (t) => {
    const agent = await t.agent();
    const content = { primary: 'one', secondary: 'two', context: 'three' };
    const id = await agent.created(scope, recordOf(content));
    for (const hit of ['one', 'TWO', 'hre', 'e', '']) {
      expect(await agent.found(scope, { text_contains: hit }), hit).toEqual([id]);
    }
    for (const miss of ['onetwo', 'one two', 'twothree', 'one\ntwo', 'one\u0000two', 'onex', 'ÿ']) {
      expect(await agent.found(scope, { text_contains: miss }), miss).toEqual([]);
    }
  });

  bothWays('tags, data, metadata and types are not searched', async (t) => {
    const agent = await t.agent();
    await agent.created(scope, {
      ...recordOf({ data: 'needle', primary: '' }),
      tags: ['needle'],
      metadata: { needle: 'needle' },
      episode_type: { Custom: 'needle' },
    });
    expect(await agent.found(scope, { text_contains: 'needle' })).toEqual([]);
  });
});
