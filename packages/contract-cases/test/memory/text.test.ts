/** How the text of a query is matched (docs/contract/memory.md#mem-64). */
import { describe, expect } from 'vitest';
import { result } from '../harness/answer.js';
import { createAll } from '../harness/caller.js';
import { recordOf, scope } from '../harness/documents.js';
import { testCase } from '../harness/fixture.js';

describe('text', () => {
  /** Queries with texts that match and texts that do not. */
  const folds: readonly (readonly [query: string, hits: string[], misses: string[]])[] = [
    ['abc', ['abc', 'ABC', 'xAbCx', 'ａｂｃ', 'a\u00adb\u200dc'], ['ab c', 'ab', 'ácb']],
    ['σ', ['Σ', 'σ', 'ς', 'ΟΔΟΣ', 'οδος'], ['s', 'o']],
    ['ΟΔΟΣ', ['οδος', 'οδοσ', 'Οδος'], ['οδο']],
    ['k', ['K', 'k', '\u212a', '㎏'], ['q']],
    ['\u212aelvin', ['kelvin', 'KELVIN'], ['elvin']],
    ['s', ['S', 's', 'ſ', 'ß', 'ẞ'], ['ś']],
    ['ẞ', ['ß', 'ẞ', 'STRAẞE', 'ss', 'SS', 'strasse'], ['s']],
    ['straße', ['STRAẞE', 'Straße', 'STRASSE'], ['strase']],
    ['İ', ['İ', 'i\u0307', 'I\u0307'], ['i', 'I', 'ı']],
    ['i', ['I', 'i', 'i\u0307', 'İ', 'ﬁ'], ['ı', 'í']],
    ['ı', ['ı'], ['i', 'I', 'İ']],
    ['é', ['É', 'é', 'e\u0301', 'E\u0301'], ['e', 'è']],
    ['e\u0301', ['E\u0301', 'e\u0301', 'é', 'É'], ['e']],
    ['Việt', ['Vie\u0323\u0302t', 'vie\u0302\u0323t'], ['Viet', 'Viêt']],
    ['å', ['Å', '\u212b', 'a\u030a'], ['a']],
    ['µ', ['µ', 'μ', 'Μ'], ['m']],
    ['я', ['Я', 'я'], ['R']],
    ['𐐨', ['𐐀', '𐐨'], ['𐐩']],
    ['ꭰ', ['Ꭰ', 'ꭰ'], ['D']],
    ['ﬁ', ['ﬁ', 'fi', 'FI'], ['f', 'i']],
    ['ǆ', ['Ǆ', 'ǅ', 'ǆ', 'dž', 'DŽ'], ['dz']],
    ['ガ', ['ガ', 'ｶﾞ', 'カ\u3099'], ['カ', 'か']],
    ['한글', ['한글', '\u1112\u1161\u11ab\u1100\u1173\u11af', '한글은'], ['한']],
    ['12', ['12', '１２', '①2', '1²'], ['1', '21']],
    ['क\u093c', ['\u0958', 'क\u093c'], ['क']],
    ['%', ['100%', '100％'], ['100']],
    ['.*', ['a.*b'], ['ab']],
    [' ', ['a b', 'a\u00a0b', 'a\u3000b'], ['ab']],
    ['\u0000', ['a\u0000b'], ['ab']],
    ['😀', ['x😀y'], ['😁']],
  ];

  testCase('MEM-65 both sides are folded alike', async (t) => {
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
      for (const id of ids) result(await agent.delete(scope, [id, 1]));
    }
  });

  testCase('each of the three parts is searched separately', async (t) => {
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

  testCase('tags, data, metadata and types are not searched', async (t) => {
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
