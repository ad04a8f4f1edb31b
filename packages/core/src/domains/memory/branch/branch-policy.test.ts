/** Tests of the decision about another branch (docs/contract/branches.md#bra-13). */
import { describe, expect, it } from 'vitest';
import { type CountedBranch, decideBranch, STORED_BRANCHES_MAX } from './branch-policy.js';

const wanted = { name: 'trial', subjectId: 'ann', scopes: 1, stored: 0 };

function live(count: number, over: readonly number[], subjectId?: string): CountedBranch[] {
  return Array.from({ length: count }, (_, at) => {
    return { name: `b${at}`, subjectId: subjectId ?? `subject ${at}`, over };
  });
}

describe('decideBranch', () => {
  it('refuses a name that the subject has in use, and only that', () => {
    const other = { name: 'trial', subjectId: 'bob', over: [] };
    expect(decideBranch([other], wanted)).toBe('made');
    expect(decideBranch([{ ...other, subjectId: 'ann' }], wanted)).toBe('name_taken');
  });

  it('stops at 256 live branches of a tenant, and at 32 over one scope', () => {
    expect(decideBranch(live(255, []), wanted)).toBe('made');
    expect(decideBranch(live(256, []), wanted)).toBe('too_many');
    expect(decideBranch(live(31, [0]), wanted)).toBe('made');
    expect(decideBranch(live(32, [0]), wanted)).toBe('too_many');
  });

  it('stops at 64 live branches of a subject, and lets others go on', () => {
    expect(decideBranch(live(63, [], 'ann'), wanted)).toBe('made');
    expect(decideBranch(live(64, [], 'ann'), wanted)).toBe('too_many');
    expect(decideBranch(live(64, [], 'bob'), wanted)).toBe('made');
  });

  it('counts ended branches that are still stored', () => {
    expect(decideBranch([], { ...wanted, stored: STORED_BRANCHES_MAX - 1 })).toBe('made');
    expect(decideBranch([], { ...wanted, stored: STORED_BRANCHES_MAX })).toBe('too_many');
  });
});
