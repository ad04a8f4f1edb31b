/** The history of an attempt, frozen during paging (docs/contract/experiences.md#exp-35). */
import { type ExperienceHistoryCursor, openKeep } from '@agentkeep/core';
import { describe, expect } from 'vitest';
import { type Answer, outcome, refused, result } from '../harness/answer.js';
import { missionScope, sharedScope } from '../harness/documents.js';
import {
  attempt,
  attempted,
  type ExperienceParty,
  type Observatory,
} from './experience-fixture.js';
import { testCase, tenant } from '../harness/fixture.js';
import { lasting } from '../harness/lasting-store.js';

type Page = ReturnType<typeof pageOf>;

const pageOf = (answer: Answer<'readExperienceHistory'>) => result(answer).page;
const idsOf = ({ events }: Page) => events.map(({ command }) => command.event_id);

/** Records events one after another. */
async function record(at: Observatory, ids: readonly string[], from = 1): Promise<void> {
  for (const [index, id] of ids.entries()) await at.observed(id, from + index);
}

/** Returns all pages from a cursor on. */
async function pagesOf(
  party: ExperienceParty,
  limit: number,
  from: ExperienceHistoryCursor | null = null,
): Promise<Page[]> {
  const pages: Page[] = [];
  let cursor: ExperienceHistoryCursor | null = from;
  do {
    const page = pageOf(await party.history({ limit, cursor }));
    pages.push(page);
    cursor = page.next_cursor;
    expect(page.complete).toBe(cursor === null);
  } while (cursor !== null);
  return pages;
}

describe('the history of an attempt', () => {
  testCase('EXP-16, EXP-40 is complete at revision 1 without events', async (t) => {
    const { writer, receipt } = await attempted(t);
    for (const query of [{ limit: 64 }, { limit: 1, cursor: null }]) {
      expect(pageOf(await writer.history(query))).toEqual({
        receipt_digest: receipt.receipt_digest,
        through_revision: 1,
        events: [],
        scanned_events: 0,
        next_cursor: null,
        complete: true,
      });
    }
  });

  testCase(
    'EXP-C61, EXP-39 is ordered by the length of the ids, then by their bytes',
    async (t) => {
      const at = await attempted(t);
      const ids = ['z', 'aa', 'b', '\u00e9', '\u0001', 'B', '\u{1F600}', '\uFB33', 'abc'];
      await record(at, ids);
      const bytes = (id: string) => Buffer.from(id, 'utf8');
      const ordered = [...ids].sort(
        (one, other) =>
          bytes(one).length - bytes(other).length || Buffer.compare(bytes(one), bytes(other)),
      );
      const whole = pageOf(await at.writer.history({ limit: 64 }));
      expect(idsOf(whole)).toEqual(ordered);
      expect(whole).toMatchObject({ through_revision: 10, scanned_events: 9, complete: true });
      for (const limit of [1, 2, 9]) {
        const pages = await pagesOf(at.writer, limit);
        expect(pages.flatMap(idsOf)).toEqual(ordered);
      }
      const full = await pagesOf(at.writer, 9);
      expect(full.map(({ scanned_events }) => scanned_events)).toEqual([9, 0]);
    },
  );

  testCase('EXP-C61 never shows an event added during paging', async (t) => {
    const at = await attempted(t);
    await record(at, ['z', 'aa', 'b']);
    const first = pageOf(await at.writer.history({ limit: 1 }));
    expect(first.next_cursor).toEqual({
      receipt_digest: at.receipt.receipt_digest,
      through_event_id: 'b',
      after_event_id: 'b',
    });
    await record(at, ['a', 'c', 'zz', 'd'], 4);
    const pages = [first, ...(await pagesOf(at.writer, 1, first.next_cursor))];
    expect(pages.map(idsOf)).toEqual([['b'], [], [], ['z'], ['aa'], [], []]);
    for (const page of pages) expect(page.through_revision).toBe(4);
    expect(idsOf(pageOf(await at.writer.history({ limit: 64 })))).toHaveLength(7);
  });

  testCase('shows events as they were recorded', async (t) => {
    const at = await attempted(t);
    const first = await at.observed('e1', 1, { cost_units: 3 });
    const second = await at.observed('e2', 2, { outcome: 'failed' });
    expect(pageOf(await at.writer.history({ limit: 2 })).events).toEqual([first, second]);
  });

  testCase('EXP-C62, EXP-15, EXP-17 has limits and cursors', async (t) => {
    const at = await attempted(t);
    await record(at, ['e1', 'e2']);
    result(await at.writer.register({ ...attempt, id: 'a2' }));
    const { next_cursor: cursor } = pageOf(await at.writer.history({ limit: 1 }));
    for (const limit of [0, 65, -1, 1.5, '1', null, undefined]) {
      expect(outcome(await at.writer.history({ limit }))).toBe(refused.invalid);
    }
    const other = await at.writer.history({ limit: 1, cursor }, sharedScope, 'a2');
    expect(outcome(other)).toBe(refused.otherCommand);
    for (const id of ['a3', 'a'.repeat(512)]) {
      const answer = await at.writer.history({ limit: 1, cursor }, sharedScope, id);
      expect(outcome(answer)).toBe(refused.noRecord);
    }
    for (const members of [
      { after_event_id: 'e3' },
      { through_event_id: 'e3' },
      { after_event_id: null },
      { after_event_id: ' ' },
      { receipt_digest: 'x' },
      { extra: 1 },
    ]) {
      const answer = await at.writer.history({ limit: 1, cursor: { ...cursor, ...members } });
      expect(outcome(answer), JSON.stringify(members)).toBe(refused.invalid);
    }
    const foreign = { ...cursor, receipt_digest: 'f'.repeat(64), after_event_id: 'e3' };
    const answer = await at.writer.history({ limit: 1, cursor: foreign });
    expect(outcome(answer)).toBe(refused.otherCommand);
  });

  testCase('shows no event with a cursor of an empty history', async (t) => {
    const at = await attempted(t);
    await record(at, ['e1', 'e2']);
    const { receipt_digest } = at.receipt;
    const cursor = { receipt_digest, through_event_id: null, after_event_id: 'e1' };
    const page = pageOf(await at.writer.history({ limit: 64, cursor }));
    expect(page).toMatchObject({ events: [], through_revision: 1, scanned_events: 1 });
    expect(page.complete).toBe(true);
  });

  testCase('EXP-36 authorizes every page again, and survives a restart', async (t) => {
    const store = lasting();
    const before = await tenant(t.driver, store);
    const at = await attempted(before);
    await record(at, ['e1', 'e2', 'e3']);
    const { next_cursor: cursor } = pageOf(await at.writer.history({ limit: 1 }));
    await before.keep.close();
    await using keep = await openKeep({ store, clock: before.clock });
    const transport = t.driver.open(keep);
    const document = {
      contract_version: 1,
      scope: sharedScope,
      attempt_id: 'a1',
      query: { limit: 2, cursor },
    };
    const read = (place: object) =>
      transport('readExperienceHistory', at.writer.caller.token, {
        document: { ...document, scope: place },
      });
    expect(idsOf(pageOf(await read(sharedScope)))).toEqual(['e2', 'e3']);
    expect(outcome(await read(missionScope))).toBe(refused.noRecord);
    expect(outcome(await read({ ...sharedScope, agent_id: 'z' }))).toBe(refused.forbidden);
  });
});
