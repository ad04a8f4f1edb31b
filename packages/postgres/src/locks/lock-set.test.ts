/**
 * Locks conflict whenever transactions do.
 */
import { keyBytes, keyText } from '@agentkeep/core/store';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LockSet } from './lock-set.js';

/** Keys of few distinct bytes, so that they share prefixes; some have the parts of a real key. */
const key = fc
  .array(fc.constantFrom(0, 1, 2, 97, 255), { minLength: 1, maxLength: 5 })
  .map((bytes) => Uint8Array.from(bytes));

function locksOf(take: (locks: LockSet) => void): LockSet {
  const locks = new LockSet();
  take(locks);
  return locks;
}

const writing = (bytes: Uint8Array) => locksOf((locks) => locks.addWrite(keyText(bytes)));
const reading = (bytes: Uint8Array) => locksOf((locks) => locks.addRead(keyText(bytes)));

describe('locks', () => {
  test('of a writer conflict with those of every walk over the key, at any bound', () => {
    fc.assert(
      fc.property(key, key, key, fc.nat(4), fc.nat(4), (from, at, to, few, fewer) => {
        fc.pre(keyText(from) <= keyText(at) && keyText(at) < keyText(to));
        const walking = locksOf((locks) => locks.addSpan(from, to));
        const writer = writing(at);
        return writer.bounded(few).conflictsWith(walking.bounded(fewer));
      }),
      { numRuns: 2_000 },
    );
  });

  test('of a writer conflict with those of every other user of the key, at any bound', () => {
    fc.assert(
      fc.property(key, fc.nat(4), fc.nat(4), (at, few, fewer) => {
        const writer = writing(at).bounded(few);
        expect(writer.conflictsWith(reading(at).bounded(fewer))).toBe(true);
        expect(writer.conflictsWith(writing(at).bounded(fewer))).toBe(true);
      }),
    );
  });

  test('of different keys do not conflict, in the same tenant or in others', () => {
    const first = writing(keyBytes('a\0\x05one'));
    expect(first.conflictsWith(writing(keyBytes('a\0\x05two')))).toBe(false);
    expect(first.conflictsWith(writing(keyBytes('b\0\x05one')))).toBe(false);
    expect(first.conflictsWith(reading(keyBytes('a\0\x05two')))).toBe(false);
  });

  test('of a walk do not conflict with other subspaces and tenants', () => {
    const walk = locksOf((locks) => locks.addSpan(keyBytes('a\0\x05'), keyBytes('a\0\x06')));
    expect(walk.conflictsWith(writing(keyBytes('a\0\x06one')))).toBe(false);
    expect(walk.conflictsWith(writing(keyBytes('b\0\x05one')))).toBe(false);
    expect(walk.conflictsWith(writing(keyBytes('a\0\x05one')))).toBe(true);
  });

  test('of a group cover the keys in it', () => {
    const group = locksOf((locks) => locks.addSpan(keyBytes('a\0\x05'), keyBytes('a\0\x06')));
    expect(writing(keyBytes('a\0\x05one')).without(group).size).toBe(0);
    expect(writing(keyBytes('a\0\x06one')).without(group).size).toBe(2);
  });
});
