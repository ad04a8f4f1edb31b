/** The table of families agrees with itself and with what is counted. */
import { expect, test } from 'vitest';
import { keyspace } from '../../storage/store/keyspace.js';
import { countedNumbers } from '../stats/counted-families.js';
import { lineNames } from './family-facts.js';
import { familyFacts, familyNames } from './family-table.js';

test('what the table calls counted is what the tally counts', () => {
  const stated = familyNames.filter((name) => familyFacts[name].counted);
  const numbers = stated.map((name) => keyspace[name].number);
  expect(numbers.toSorted((one, other) => one - other)).toEqual(countedNumbers);
});

test('a family that goes with its source has one, which goes too or says who stays', () => {
  for (const name of familyNames) {
    const { derived, erased, exported } = familyFacts[name];
    const source = derived?.source ?? null;
    if (erased === 'derived' || exported === 'derived') expect(source, name).not.toBeNull();
    if (source !== null && exported === 'derived') {
      expect(familyFacts[source].derived, name).toBeUndefined();
    }
  }
});

test('every line of exports belongs to a family of a scope or of a tenant', () => {
  const found = new Set<string>();
  for (const name of familyNames) {
    const { exported, owner } = familyFacts[name];
    if (exported === 'derived' || !('line' in exported)) continue;
    expect(['scope', 'tenant'], name).toContain(owner);
    found.add(exported.line);
  }
  expect([...found].toSorted()).toEqual([...lineNames].toSorted());
});

test('only families of scopes name a subject behind the first part of their keys', () => {
  for (const name of familyNames) {
    const { subjectAt, owner } = familyFacts[name];
    if (subjectAt === undefined) continue;
    expect(owner, name).toBe('scope');
    expect(keyspace[name].shape[subjectAt], name).toBe('text');
  }
});
