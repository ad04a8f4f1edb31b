/** Ended records whose places others get (docs/contract/superseding.md#sup-14). */
import { type Embed, openKeep } from '@agentkeep/core';
import { agentFor } from '@agentkeep/core/operator';
import { eventually } from '@agentkeep/testkit/eventually';
import { testStore } from '@agentkeep/testkit/test-store';
import { describe, expect, test } from 'vitest';
import { inBranch } from '../branches/harness.js';
import { admitted, erased, ofSubject } from '../erasure/erasure-kit.js';
import { membersNamed, outcome, refused, result } from '../harness/answer.js';
import type { Caller, Members } from '../harness/caller.js';
import { recordOf, scope, sharedScope } from '../harness/documents.js';
import { testCase } from '../harness/fixture.js';
import { SmallModel } from '../search/meaning-fixture.js';
import { pageOf } from '../search/search-fixture.js';

/** Returns what a client embeds with: a vector for every text. */
function embedOf(model: SmallModel): Embed {
  return async (texts, { kind }) => {
    const vectors = await model.embed(texts, { kind });
    return vectors.map((values) => (values.length === 0 ? [0, 0, 0] : values));
  };
}

const words = { text: 'red tea', match: 'any' };
const search = { filter: { words }, order: 'best_words', successors: true };

const said = (primary: string, members: Members = {}) => ({ ...recordOf({ primary }), ...members });

/** Stores a text that supersedes others, in their current revisions. */
async function stored(agent: Caller, text: string, ended: string[] = [], members: Members = {}) {
  const { where = scope, ...rest } = members;
  const place = where as typeof scope;
  const supersedes = await Promise.all(
    ended.map(async (record_id) => {
      const { revision } = result(await agent.read(place, record_id)).record;
      return { record_id, revision };
    }),
  );
  return agent.created(place, said(text, supersedes.length === 0 ? rest : { ...rest, supersedes }));
}

/** Returns what all pages of a search show: ids, and in whose place. */
async function shown(agent: Caller, more: Members = {}, where: Members[] = [scope]) {
  const all: [id: string, inPlaceOf: string | undefined][] = [];
  let cursor: string | null = null;
  do {
    const page = await pageOf(agent, where, { ...search, ...more, cursor });
    all.push(
      ...page.matches.map(({ record: { record_id }, in_place_of }): (typeof all)[number] => [
        record_id,
        in_place_of,
      ]),
    );
    cursor = page.next_cursor;
  } while (cursor !== null);
  return all;
}

describe('successors', () => {
  testCase('SUP-C12 have the places of what they superseded, on all pages', async (t) => {
    const agent = await t.agent();
    const first = await stored(agent, 'red red red tea tea tea');
    const second = await stored(agent, 'a cup', [first]);
    const third = await stored(agent, 'a glass of water', [second]);
    const other = await stored(agent, 'red tea, and more than that');
    const both = [
      await stored(agent, 'red red tea, in short'),
      await stored(agent, 'red, and something else beside it'),
    ];
    const held = await stored(agent, `tea ${'and so on '.repeat(60)}`, both);
    const alone = await stored(agent, `red ${'and so on '.repeat(90)}`);
    const inOrder = [
      [third, first],
      [held, both[0]],
      [other, undefined],
      [alone, undefined],
    ];
    expect(await shown(agent)).toEqual(inOrder);
    const bounds = [{ limit: 1 }, { limit: 3 }, { scan_limit: 3 }, { scan_limit: 2, limit: 2 }];
    for (const more of bounds) expect(await shown(agent, more)).toEqual(inOrder);
    const { matches, counted_matches } = await pageOf(agent, [scope], search);
    expect(counted_matches).toBe(6);
    expect(matches.map(({ terms = [] }) => terms)).toEqual([
      [],
      [{ text: 'tea', records: 4, times: 1 }],
      [
        { text: 'red', records: 5, times: 1 },
        { text: 'tea', records: 4, times: 1 },
      ],
      [{ text: 'red', records: 5, times: 1 }],
    ]);
    const own = await shown(agent, { successors: false });
    expect(own.map(([id]) => id)).toEqual([other, held, alone]);
    const { next_cursor: cursor } = await pageOf(agent, [scope], { ...search, limit: 1 });
    const mixed = await agent.search([scope], { ...search, successors: false, cursor });
    expect(outcome(mixed)).toBe(refused.invalid);
  });

  testCase('SUP-C13 are only those that the filter would show', async (t) => {
    const agent = await t.agent();
    const bob = await t.agent({ subject_id: 'bob' });
    const ended = async (members: Members = {}, text = 'red tea') =>
      stored(agent, 'another', [await stored(agent, text, [], { tags: ['a'] })], members);
    const filter = { words, tags: { all: ['a'] } };
    const end = { valid_until_millis: t.clock.now() + 10 };
    const [tagged, deleted, expired] = [
      await ended({ tags: ['a'] }),
      await ended({ tags: ['a'] }),
      await ended({ tags: ['a'], ...end }),
    ];
    const untagged = await ended();
    const idsOf = (all: Awaited<ReturnType<typeof shown>>) => all.map(([id]) => id).toSorted();
    expect(idsOf(await shown(agent, { filter }))).toEqual([tagged, deleted, expired].toSorted());
    expect(idsOf(await shown(agent))).toEqual([tagged, deleted, expired, untagged].toSorted());
    result(await agent.delete(scope, [deleted, 1]));
    t.clock.advance(10);
    expect(idsOf(await shown(agent))).toEqual([tagged, untagged].toSorted());
    expect(await shown(bob)).toEqual([]);
    const expiredAlone = await stored(agent, 'red tea', [], {
      valid_until_millis: t.clock.now() + 10,
    });
    expect(idsOf(await shown(agent))).toContain(expiredAlone);
    t.clock.advance(10);
    expect(idsOf(await shown(agent))).not.toContain(expiredAlone);
  });

  testCase('SUP-C14 are those of a branch in it alone', async (t) => {
    const agent = await t.agent();
    const old = await stored(agent, 'red tea');
    const before = t.clock.now();
    t.clock.advance(1_000);
    const { where } = await inBranch(agent);
    const made = await stored(agent, 'in the branch', [old], { where });
    expect(await shown(agent)).toEqual([[old, undefined]]);
    expect(await shown(agent, {}, [where])).toEqual([[made, old]]);
    const shared = await stored(agent, 'red', [], { where: sharedScope });
    expect(await shown(agent, {}, [where, sharedScope])).toEqual([
      [made, old],
      [shared, undefined],
    ]);
    const now = await stored(agent, 'outside', [old]);
    expect(await shown(agent)).toEqual([[now, old]]);
    expect(await shown(agent, { as_of: { millis: before } })).toEqual([[old, undefined]]);
  });

  testCase('SUP-C15 are explained, and refused where they have no meaning', async (t) => {
    const agent = await t.agent();
    const old = await stored(agent, 'red tea');
    const made = await stored(agent, 'water', [old]);
    const explained = async (explain_record: string) => {
      const page = await pageOf(agent, [scope], { ...search, explain_record });
      const { matches, place, match } = page.record_explanation ?? {};
      return [matches, place, match?.in_place_of];
    };
    expect(await explained(made)).toEqual([false, 1, old]);
    expect(await explained(old)).toEqual([false, null, undefined]);
    const wrong: Members[] = [
      { ...search, order: 'rarest_words' },
      { ...search, filter: { words, expired: 'included' } },
      { ...search, filter: { words, expired: 'only' } },
      { ...search, filter: { words, include_superseded: true } },
      { successors: true },
    ];
    for (const asked of wrong) {
      const answer = await agent.search([scope], asked);
      expect([outcome(answer), membersNamed(answer)]).toEqual([refused.invalid, ['successors']]);
    }
    expect(outcome(await agent.search([scope], { ...search, successors: null }))).toBe(
      refused.invalid,
    );
  });

  testCase('SUP-C16 go with their subject or their shared scope, and never alone', async (t) => {
    const alice = await t.agent();
    const bob = await t.agent({ subject_id: 'bob', grants: [sharedScope] });
    const where = sharedScope;
    await stored(alice, 'a private cup', [await stored(alice, 'red tea')]);
    const old = await stored(alice, 'red tea', [], { where });
    const held = await stored(alice, 'the new cup', [old], { where });
    const own = await stored(bob, 'red tea of Bob', [], { where });
    const next = await stored(bob, 'the cup of Bob', [own, held], { where });
    expect(await shown(bob, {}, [where])).toEqual([[next, old]]);
    await erased(t, ofSubject('alice'));
    await admitted(t, 'alice');
    const again = await t.agent();
    expect(await shown(again)).toEqual([]);
    for (const reader of [again, bob]) {
      expect(await shown(reader, {}, [where])).toEqual([[next, old]]);
    }
    await erased(t, { kind: 'scope', scope: where });
    expect(await shown(bob, {}, [where])).toEqual([]);
  });

  testCase('SUP-C17 whose revision was redacted have no place where that one held', async (t) => {
    const agent = await t.agent();
    const old = await stored(agent, 'red tea');
    const held = await stored(agent, 'a cup', [old]);
    t.clock.advance(1_000);
    const before = t.clock.now();
    t.clock.advance(1_000);
    result(await agent.update(scope, [held, 1], said('a glass')));
    const state = { millis: before, missing: 'left_out' };
    const then = { ...search, as_of: state };
    expect(await shown(agent, then)).toEqual([[held, old]]);
    result(await agent.redact(scope, held, 1));
    expect(await pageOf(agent, [scope], then)).toMatchObject({ matches: [], missing_records: 1 });
    const whole = { ...search, as_of: { millis: before } };
    expect(outcome(await agent.search([scope], whole))).toBe('410 history_gone');
    expect(await shown(agent)).toEqual([[held, old]]);
    result(await agent.redact(scope, old, 1));
    expect(await shown(agent)).toEqual([[held, old]]);
    result(await agent.delete(scope, [held, 2]));
    expect(await shown(agent)).toEqual([]);
  });
});

for (const [by, model] of [
  ['the server', () => ({ textEmbedder: new SmallModel() })],
  ['the client', () => ({ embed: embedOf(new SmallModel()) })],
] as const) {
  test(`SUP-C18 with embeddings of ${by}, recall shows once what holds now`, async () => {
    await using keep = await openKeep({ store: testStore(), ...model() });
    const { memory } = await agentFor(keep, { subject: 'ann' });
    const old = await memory.create({ content: { primary: 'The car is in the garage.' } });
    const supersedes = [{ record_id: old.record_id, revision: old.revision }];
    const primary = 'Her vehicle was sold.';
    const held = await memory.create({ content: { primary }, supersedes });
    const tea = await memory.create({ content: { primary: 'Tea.' } });
    await eventually(async () => {
      await memory.embedded();
      const found = await memory.recall('Which car is in the garage?');
      expect(
        found.map(({ record, inPlaceOf, distance }) => [record.record_id, inPlaceOf, distance]),
      ).toEqual([
        [held.record_id, old.record_id, expect.closeTo(0)],
        [tea.record_id, undefined, expect.closeTo(1)],
      ]);
    });
  });
}
