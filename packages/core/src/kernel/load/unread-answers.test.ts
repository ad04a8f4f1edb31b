/** Unread answers are bounded by principal, tenant and in all, and those who hold most pay. */
import { describe, expect, test } from 'vitest';
import { UnreadAnswers, type UnreadBounds } from './unread-answers.js';

const ann = { tenant: 'acme', principal: 'ann' };
const bob = { tenant: 'acme', principal: 'bob' };
const otto = { tenant: 'other', principal: 'otto' };
const roomy = { principal: 100, tenant: 100, all: 100 };

/** Opens answers, and notes which of them were cut. */
function opening(bounds: Partial<UnreadBounds>) {
  const unread = new UnreadAnswers({ refuse: roomy, keep: roomy, ...bounds });
  const cut: string[] = [];
  const open = (name: string, party = ann) => unread.open(party, () => cut.push(name));
  return { unread, cut, open };
}

describe('unread answers', () => {
  test.each([
    ['principal', ann, [bob, otto]],
    ['tenant', bob, [otto]],
    ['all', otto, []],
  ] as const)(
    'leave no room for heavy calls beyond the bound of each %s',
    (group, full, others) => {
      const { unread, open } = opening({ refuse: { ...roomy, [group]: 10 } });
      const answer = open('a');
      answer.holds(9);
      expect(unread.hasRoom(ann)).toBe(true);
      answer.holds(10);
      expect(unread.hasRoom(full)).toBe(false);
      for (const party of others) expect(unread.hasRoom(party)).toBe(true);
      answer.holds(0);
      expect(unread.hasRoom(full)).toBe(true);
      expect(unread.bytes).toBe(0);
    },
  );

  test('LOA-6 of a principal are cut beyond its bound, the one that waits longest first', () => {
    const { unread, cut, open } = opening({ keep: { ...roomy, principal: 10 } });
    const first = open('first');
    first.holds(5);
    open('second').holds(5);
    // Its client has read a part, so it waits for a shorter time than the second.
    first.holds(4);
    expect(cut).toEqual([]);
    open('third').holds(2);
    expect(cut).toEqual(['second']);
    expect(unread.bytes).toBe(6);
  });

  test('LOA-6 of a tenant are cut where its principal has most', () => {
    const { cut, open } = opening({ keep: { ...roomy, tenant: 10 } });
    open('otto', otto).holds(50);
    open('bob', bob).holds(2);
    open('ann').holds(6);
    open('bob again', bob).holds(3);
    expect(cut).toEqual(['ann']);
  });

  test('LOA-6 in all are cut where the tenant has most', () => {
    const { cut, open } = opening({ keep: { ...roomy, all: 10 } });
    open('ann').holds(3);
    open('bob', bob).holds(4);
    open('otto', otto).holds(4);
    expect(cut).toEqual(['bob']);
  });

  test('LOA-6 are sent one at a time, however large', () => {
    const { unread, cut, open } = opening({ keep: { principal: 10, tenant: 10, all: 10 } });
    open('small').holds(1);
    open('large').holds(50);
    expect(cut).toEqual(['small']);
    open('next').holds(1);
    expect(cut).toEqual(['small', 'large']);
    expect(unread.bytes).toBe(1);
  });
});
