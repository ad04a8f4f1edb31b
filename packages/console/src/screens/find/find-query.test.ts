/** From the address of a search over all scopes to searches of the server. */
import { describe, expect, test } from 'vitest';
import type { ShownScope } from '../../scopes/scope-query.js';
import { findListsOf, findQueryOf } from './find-query.js';

function scopesOf(count: number, subjectId?: string): ShownScope[] {
  return Array.from({ length: count }, (_, at) => ({
    scope: {
      project_id: `p${at}`,
      agent_id: 'a',
      visibility: subjectId === undefined ? ('shared' as const) : ('private' as const),
    },
    subjectId,
  }));
}

const listsOf = (query: string, scopes: readonly ShownScope[]) =>
  findListsOf(findQueryOf(new URLSearchParams(query)), scopes);

describe('a search over all scopes', () => {
  test('asks for 200 scopes in 13 searches, each scope once', () => {
    const scopes = scopesOf(200);
    const lists = listsOf('words=tea', scopes);
    expect(lists).toHaveLength(13);
    expect(lists.flatMap((list) => list.scopes)).toEqual(scopes);
    expect(lists[0]?.filter).toEqual({ words: { text: 'tea' }, expired: 'included' });
  });

  test('keeps private scopes of each subject apart, which another agent reads', () => {
    const lists = listsOf('by=bob', [...scopesOf(2, 'ann'), ...scopesOf(3), ...scopesOf(1, 'bob')]);
    expect(lists.map((list) => list.scopes.map(({ subjectId }) => subjectId))).toEqual([
      ['ann', 'ann'],
      [undefined, undefined, undefined],
      ['bob'],
    ]);
  });

  test('looks for somebody in their private memory, by author and by name', () => {
    const lists = listsOf('about=ann-ekdal&type=Decision', [
      ...scopesOf(1, 'ann-ekdal'),
      ...scopesOf(1, 'bob'),
    ]);
    const type = { episode_types: ['Decision'], expired: 'included' };
    expect(lists.map(({ scopes: [shown], filter }) => [shown?.subjectId, filter])).toEqual([
      ['ann-ekdal', type],
      ['bob', { ...type, author: { subject_id: 'ann-ekdal' } }],
      ['bob', { ...type, words: { text: '"ann-ekdal"' } }],
    ]);
  });

  test.each([
    ['about=ann&by=ann', ['by ann', 'by ann and "ann"']],
    ['about=ann&by=bob', ['by bob and "ann"']],
    ['about=ann&words=tea', ['by ann and tea', 'tea "ann"']],
    ['about=***', ['by ***']],
  ])('%s asks shared scopes for %s', (query, asked) => {
    const lists = listsOf(query, scopesOf(1));
    const said = lists.map(({ filter: { author, words } }) => {
      const by = author?.subject_id;
      return [by === undefined ? [] : `by ${by}`, words?.text ?? []].flat().join(' and ');
    });
    expect(said).toEqual(asked);
  });

  test('looks only at private scopes of a subject that is named', () => {
    const lists = listsOf('subject=ann', [
      ...scopesOf(1, 'ann'),
      ...scopesOf(4),
      ...scopesOf(1, 'bob'),
    ]);
    expect(lists.map((list) => list.scopes)).toEqual([scopesOf(1, 'ann')]);
  });
});
