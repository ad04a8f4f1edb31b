/** What is stated of families agrees with itself. */
import { expect, test } from 'vitest';
import { OWN_TREES } from '../../storage/lmdb-store/trees.js';
import { countingRule, nextCounted } from './counting.js';
import { families, familyNames, familyOfKey, sourceOf } from './families.js';
import { lineNames, lineOf } from './line-names.js';

test('each family has a number of one byte and a name of its own', () => {
  const numbers = familyNames.map((name) => families[name].number);
  expect(new Set(numbers).size).toBe(numbers.length);
  expect(numbers.every((number) => number >= 0 && number < 256)).toBe(true);
  expect(new Set(familyNames).size).toBe(familyNames.length);
  for (const name of familyNames) {
    expect(families[name].name).toBe(name);
    expect(familyOfKey(Buffer.from([0, families[name].number]))).toBe(name);
  }
});

test('the counted families are walked in the order of keys', () => {
  const stated = familyNames.filter((name) => families[name].facts.counts !== null);
  const walked: number[] = [];
  for (let number = nextCounted(-1); number !== undefined; number = nextCounted(number)) {
    walked.push(number);
  }
  expect(walked).toEqual(stated.map((name) => families[name].number));
  for (const number of walked) expect(countingRule(number)).toBeDefined();
});

test('a family that goes with its source has one, which goes too or says who stays', () => {
  for (const name of familyNames) {
    const { erased, exported } = families[name].facts;
    const source = sourceOf(name);
    if (erased === 'derived' || exported === 'derived') expect(source, name).toBeDefined();
    if (source !== undefined && exported === 'derived') {
      expect(families[source].facts.derived, name).toBeUndefined();
    }
  }
});

test('every line of exports belongs to a family of a scope or of a tenant', () => {
  const found = new Set<string>();
  for (const name of familyNames) {
    const line = lineOf(name);
    if (line === undefined) continue;
    expect(['scope', 'tenant'], name).toContain(families[name].facts.owner);
    found.add(line);
  }
  expect([...found].toSorted()).toEqual([...lineNames].toSorted());
});

test('members of lines of exports are in lines that exist', () => {
  for (const name of familyNames) {
    const { exported } = families[name].facts;
    if (exported !== 'derived' && 'partOf' in exported) {
      expect(lineNames, name).toContain(exported.partOf);
    }
  }
});

test('only families of scopes name a subject behind the first part of their keys', () => {
  for (const name of familyNames) {
    const { subjectAt, owner } = families[name].facts;
    if (subjectAt === undefined) continue;
    expect(owner, name).toBe('scope');
    expect(families[name].shape[subjectAt], name).toBe('text');
  }
});

test('the trees of a data file are those of families that memory commands append to', () => {
  const named = (['memoryRecords', 'memoryScan', 'memoryReceipts', 'memoryChanges'] as const).map(
    (name) => families[name].number,
  );
  expect(OWN_TREES).toEqual(named);
});
