/** Searches of memory (docs/contract/search.md). */
import { describe, expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import type { Caller, Members } from '../harness/caller.js';
import {
  minimalRecord,
  record,
  recordOf,
  scope,
  sharedScope,
  ungranted,
} from '../harness/documents.js';
import { testCase } from '../harness/fixture.js';
import { named, pageOf, pagesOf, stored, textual } from './search-fixture.js';

const textsOf = async (caller: Caller, filter: Members, scopes: unknown = [scope]) =>
  (await pageOf(caller, scopes, { filter, order: 'oldest', limit: 100 })).matches.map(
    ({ record: { payload } }) => payload.content.primary,
  );

describe('a search', () => {
  testCase('SEA-C1 finds the records of several scopes in one order', async (t) => {
    const agent = await t.agent();
    const ids: string[] = [];
    for (const place of [scope, sharedScope, sharedScope, scope, scope]) {
      ids.push(await agent.created(place));
    }
    const both = [sharedScope, scope];
    const answer = result(await agent.search(both, { order: 'oldest' }));
    // SEA-15
    expect(Object.keys(answer).sort()).toEqual(['contract_version', 'page']);
    expect(Object.keys(answer.page).sort()).toEqual(['matches', 'next_cursor', 'scanned_records']);
    const { matches } = answer.page;
    expect(matches.map(({ record: { record_id } }) => record_id)).toEqual(ids);
    expect(matches.map(({ scope: { visibility } }) => visibility)).toEqual([
      ...['private', 'shared', 'shared', 'private', 'private'],
    ]);
    expect(matches[0]?.record).toEqual(result(await agent.read(scope, ids[0])).record);
    expect(matches[0]?.scope).toEqual({ ...scope, mission_id: null });
    const newest = await pagesOf(agent, both, { limit: 2 });
    expect(newest).toEqual([[ids[4], ids[3]], [ids[2], ids[1]], [ids[0]]]);
    const oldest = await pagesOf(agent, both, { limit: 2, order: 'oldest' });
    expect(oldest).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
    expect(await pagesOf(agent, [scope], { limit: 2 })).toEqual([[ids[4], ids[3]], [ids[0]]]);
  });

  testCase('SEA-C2 finds whole words, prefixes and phrases', async (t) => {
    const agent = await t.agent();
    const quick = 'The Quick brown_fox, jumps!';
    const split = { primary: 'one slow', secondary: 'brown dog' };
    await stored(agent, [recordOf({ primary: quick }), recordOf(split)]);
    const found = (text: string, members: Members = {}) =>
      textsOf(agent, { words: { text, ...members } });
    expect(await found('QUICK jumps')).toEqual([quick]);
    expect(await found('quick dog')).toEqual([]);
    expect(await found('quick dog', { match: 'any' })).toEqual([quick, 'one slow']);
    expect(await found('slow DOG')).toEqual(['one slow']);
    expect(await found('quic')).toEqual([]);
    expect(await found('brown')).toEqual(['one slow']);
    expect(await found('brow*')).toEqual([quick, 'one slow']);
    expect(await found('quic*')).toEqual([quick]);
    expect(await found('quick *')).toEqual([quick]);
    expect(await found('"quick brown_fox"')).toEqual([quick]);
    expect(await found('"brown_fox jumps"')).toEqual([quick]);
    expect(await found('"jumps quick"')).toEqual([]);
    expect(await found('"slow brown"')).toEqual([]);
    expect(await found('quick "jumps')).toEqual([quick]);
    expect(await found('"quick"')).toEqual([quick]);
  });

  testCase('SEA-C3 ignores diacritics when asked to', async (t) => {
    const agent = await t.agent();
    const texts = ['Café', 'Cafe\u0301', 'cafe', 'cøfe'];
    await stored(agent, textual(texts));
    const found = (text: string, diacritics: string) =>
      textsOf(agent, { words: { text, diacritics } });
    expect(await found('cafe', 'exact')).toEqual(['cafe']);
    for (const text of ['café', 'CAFE\u0301', 'ＣＡＦＥ\u0301']) {
      expect(await found(text, 'exact')).toEqual(texts.slice(0, 2));
    }
    for (const text of ['cafe', 'CAFÉ', 'cafe\u0301', 'caf*']) {
      expect(await found(text, 'ignored')).toEqual(texts.slice(0, 3));
    }
  });

  testCase('SEA-C4 finds parts in scripts without spaces', async (t) => {
    const agent = await t.agent();
    const texts = ['東京都に住む', 'Tower 東京都', '東京tower', 'ภาษาไทย'];
    await stored(agent, textual(texts));
    const found = (text: string) => textsOf(agent, { words: { text } });
    expect(await found('東京')).toEqual(texts.slice(0, 3));
    expect(await found('"tower 東京"')).toEqual([texts[1]]);
    expect(await found('tower')).toEqual([texts[1], texts[2]]);
    expect(await found('ไทย')).toEqual([texts[3]]);
    expect(await found('京tower')).toEqual([texts[1], texts[2]]);
  });

  testCase('SEA-C5 finds by tags, types, author, name and times', async (t) => {
    const agent = await t.agent();
    const other = await t.agent({ subject_id: 'bob' });
    const start = t.clock.now();
    const made = (primary: string, members: Members) =>
      record({ content: { primary }, ...members });
    await agent.created(sharedScope, made('a', { tags: ['x', 'y'], event_time_millis: 5 }));
    t.clock.advance(10);
    const decision = { tags: ['x'], episode_type: 'Decision', valid_until_millis: start + 20 };
    const changed = await agent.created(sharedScope, made('b', decision));
    t.clock.advance(10);
    result(await other.put(sharedScope, 'users/c', { record: made('c', { tags: ['z'] }) }));
    t.clock.advance(10);
    result(await agent.update(sharedScope, [changed, 1], made('b', decision)));
    const found = (filter: Members) => textsOf(agent, filter, [sharedScope]);
    expect(await found({})).toEqual(['a', 'c']);
    expect(await found({ expired: 'included' })).toEqual(['a', 'b', 'c']);
    expect(await found({ expired: 'only' })).toEqual(['b']);
    const all = { expired: 'included' };
    expect(await found({ ...all, valid_at_millis: start + 19 })).toEqual(['a', 'b', 'c']);
    expect(await found({ ...all, valid_at_millis: start + 20 })).toEqual(['a', 'c']);
    expect(await found({ ...all, valid_at_millis: 4 })).toEqual(['b', 'c']);
    expect(await found({ ...all, tags: { all: ['x', 'y'] } })).toEqual(['a']);
    expect(await found({ ...all, tags: { any: ['y', 'z'] } })).toEqual(['a', 'c']);
    expect(await found({ ...all, tags: { all: ['x'], none: ['y'] } })).toEqual(['b']);
    expect(await found({ ...all, episode_types: ['Decision', 'Error'] })).toEqual(['b']);
    expect(await found({ author: { subject_id: 'bob' } })).toEqual(['c']);
    expect(await found({ author: { credential_id: agent.id.toUpperCase() } })).toEqual(['a']);
    expect(await found({ name_prefix: 'users/' })).toEqual(['c']);
    expect(await found({ name_prefix: 'Users' })).toEqual([]);
    expect(await found({ event_time: { from_millis: 5 } })).toEqual(['a']);
    expect(await found({ event_time: { before_millis: 5 } })).toEqual(['c']);
    const middle = { from_millis: start + 10, before_millis: start + 30 };
    expect(await found({ ...all, created: middle })).toEqual(['b', 'c']);
    expect(await found({ ...all, modified: middle })).toEqual(['c']);
  });

  testCase('SEA-C43 finds records whose name or tag occurs in a text', async (t) => {
    const agent = await t.agent();
    const start = t.clock.now();
    const tagged = (primary: string, ...tags: string[]) => record({ content: { primary }, tags });
    await agent.created(sharedScope, tagged('handling', 'error_handling', 'exceptions'));
    await agent.created(sharedScope, tagged('cluster', 'k8s', 'Kubernetes'));
    result(await agent.put(sharedScope, 'tools/Redis', { record: tagged('cache') }));
    t.clock.advance(10);
    await agent.created(sharedScope, tagged('cat', '猫', '-'));
    const found = (named_in: unknown, members: Members = {}) =>
      textsOf(agent, { named_in, ...members }, [sharedScope]);
    expect(await found('eror handling in our Kubernets')).toEqual(['handling', 'cluster']);
    expect(await found('handling of an error, k9s, the tools')).toEqual([]);
    expect(await found('REEDIS or k8s?')).toEqual(['cluster', 'cache']);
    expect(await found('好きな猫です')).toEqual(['cat']);
    expect(await found('k8s', { text_contains: 'cache' })).toEqual([]);
    const before = { filter: { named_in: '猫 k8s' }, as_of: { millis: start + 5 } };
    const { matches } = await pageOf(agent, [sharedScope], before);
    expect(matches.map(({ record: { payload } }) => payload.content.primary)).toEqual(['cluster']);
    for (const wrong of ['', '- !', 'a'.repeat(1_025), 5]) {
      const answer = await agent.search([sharedScope], { filter: { named_in: wrong } });
      expect(outcome(answer)).toBe(refused.invalid);
    }
  });

  testCase('SEA-C6 compares members of metadata and data', async (t) => {
    const agent = await t.agent();
    const withData = (primary: string, data: unknown) => recordOf({ primary, data });
    await stored(agent, [
      withData('number', { v: 2, deep: { er: [1, { b: 1, a: 2 }] } }),
      withData('text', { v: '2' }),
      withData('null', { v: null }),
      withData('none', {}),
      withData('list', [2]),
      record({ content: { primary: 'meta' }, metadata: { v: 2, 'a.b': true } }),
    ]);
    const found = (condition: Members) =>
      textsOf(agent, { members: [{ of: 'data', path: ['v'], ...condition }] });
    expect(await found({ exists: true })).toEqual(['number', 'text', 'null']);
    expect(await found({ exists: false })).toEqual(['none', 'list', 'meta']);
    expect(await found({ equals: 2 })).toEqual(['number']);
    expect(await found({ equals: null })).toEqual(['null']);
    expect(await found({ not_equals: 2 })).toEqual(['text', 'null', 'none', 'list', 'meta']);
    expect(await found({ at_least: 2 })).toEqual(['number']);
    expect(await found({ above: 2 })).toEqual([]);
    expect(await found({ below: 3, above: 1 })).toEqual(['number']);
    expect(await found({ at_most: '2' })).toEqual(['text']);
    expect(await found({ one_of: ['2', null] })).toEqual(['text', 'null']);
    expect(await found({ none_of: ['2', null] })).toEqual(['number', 'none', 'list', 'meta']);
    expect(await found({ path: ['deep', 'er'], contains: { a: 2, b: 1 } })).toEqual(['number']);
    expect(await found({ path: ['deep', 'er', '0'], exists: true })).toEqual([]);
    expect(await found({ path: [], equals: [2] })).toEqual(['list']);
    expect(await found({ path: [], equals: null })).toEqual(['meta']);
    expect(await found({ of: 'metadata', equals: 2 })).toEqual(['meta']);
    expect(await found({ of: 'metadata', path: ['a.b'], equals: true })).toEqual(['meta']);
    expect(await found({ of: 'metadata', path: ['toString'], exists: true })).toEqual([]);
  });

  testCase('SEA-C7 goes on rightly while others write', async (t) => {
    const agent = await t.agent();
    const ids = await stored(agent, Array(6).fill(minimalRecord));
    const first = await pageOf(agent, [scope], { limit: 2 });
    const made = await agent.created(scope);
    result(await agent.update(scope, [ids[3], 1], recordOf({ primary: 'changed' })));
    result(await agent.delete(scope, [ids[2], 1]));
    const rest = { limit: 3, cursor: first.next_cursor };
    const { matches } = await pageOf(agent, [scope], rest);
    expect(matches.map(({ record: { record_id } }) => record_id)).toEqual([ids[3], ids[1], ids[0]]);
    expect(matches[0]?.record.revision).toBe(2);
    expect((await pagesOf(agent, [scope], {}))[0]?.[0]).toBe(made);
  });

  testCase('SEA-C8 takes the cursors of the same search only', async (t) => {
    const agent = await t.agent();
    await stored(agent, Array(3).fill(minimalRecord));
    const filter = { words: { text: 'x' } };
    const { next_cursor: cursor } = await pageOf(agent, [scope], { filter, limit: 1 });
    const at = { filter, limit: 1, cursor };
    const bob = await t.agent({ subject_id: 'bob' });
    const answers = [
      await agent.search([scope], { ...at, filter: {} }),
      await agent.search([scope], { ...at, order: 'oldest' }),
      await agent.search([sharedScope], at),
      await agent.search([scope, sharedScope], at),
      await bob.search([scope], at),
      await agent.search([scope], { ...at, cursor: `${cursor ?? ''}A` }),
      await agent.search([scope], { ...at, cursor: '' }),
    ];
    for (const answer of answers) {
      expect(outcome(answer)).toBe(refused.invalid);
      expect(named(answer)).toEqual(['cursor']);
    }
    expect((await pageOf(agent, [scope], { ...at, limit: 5 })).matches.length).toBe(2);
  });

  testCase('SEA-C9 has bounds', async (t) => {
    const agent = await t.agent();
    const scopes = Array.from({ length: 17 }, (_, index) => ({ ...scope, agent_id: `a${index}` }));
    const many = Array.from({ length: 33 }, (_, index) => `w${index}`).join(' ');
    const faults: readonly (readonly [unknown, Members])[] = [
      [[], {}],
      [scopes, {}],
      [[scope, { ...scope, mission_id: null }], {}],
      [[scope], { filter: { words: { text: ' -*"' } } }],
      [[scope], { filter: { words: { text: many } } }],
      [[scope], { filter: { words: { text: 'é'.repeat(513) } } }],
      [[scope], { limit: 0 }],
      [[scope], { limit: 101 }],
      [[scope], { scan_limit: 0 }],
      [[scope], { scan_limit: 10_001 }],
      [[scope], { filter: { episode_types: [] } }],
      [[scope], { filter: { tags: { all: [] } } }],
      [[scope], { filter: { members: [] } }],
      [[scope], { order: 'best' }],
    ];
    for (const [places, members] of faults) {
      const answer = await agent.search(places, members);
      expect(outcome(answer), JSON.stringify(members)).toBe(refused.invalid);
    }
    const fitting = { filter: { words: { text: many.slice(0, many.lastIndexOf(' ')) } } };
    expect(outcome(await agent.search([scope], fitting))).toBe('200');
  });

  testCase('SEA-C10 needs every scope and the right', async (t) => {
    const agent = await t.agent();
    const both = [scope, ungranted];
    const denied = await agent.search(both, { limit: 0 });
    expect(outcome(denied)).toBe(refused.forbidden);
    expect(named(denied)).toEqual(['scopes[1]']);
    expect(outcome(await agent.search(both, { limit: -1 }))).toBe(refused.invalid);
    const writer = await t.agent({ capabilities: ['memory_write'] });
    expect(outcome(await writer.search([scope]))).toBe(refused.forbidden);
    await agent.created(scope);
    const bob = await t.agent({ subject_id: 'bob' });
    expect((await pageOf(bob, [scope])).matches).toEqual([]);
  });

  testCase('SEA-C11 examines as many entries as it shows, however many there are', async (t) => {
    const agent = await t.agent();
    await stored(agent, Array(3).fill(minimalRecord));
    expect((await pageOf(agent, [scope], { limit: 2 })).scanned_records).toBe(2);
    await stored(agent, Array(47).fill(minimalRecord));
    expect((await pageOf(agent, [scope], { limit: 2 })).scanned_records).toBe(2);
  });

  testCase('SEA-C12 ends pages where enough entries were examined', async (t) => {
    const agent = await t.agent();
    await stored(agent, Array(4).fill(minimalRecord));
    await stored(agent, Array(3).fill(minimalRecord), sharedScope);
    const filter = { words: { text: 'absent' } };
    let cursor: string | null = null;
    const scanned: number[] = [];
    do {
      const members = { filter, scan_limit: 3, cursor };
      const page = await pageOf(agent, [scope, sharedScope], members);
      expect(page.matches).toEqual([]);
      scanned.push(page.scanned_records);
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(scanned).toEqual([3, 3, 1]);
  });
});
