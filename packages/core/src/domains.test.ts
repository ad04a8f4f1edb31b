/** What the domains state agrees with itself. */
import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { OWN_TREES } from './storage/lmdb-store/trees.js';
import { domains, families } from './domains.js';
import { upkeep } from './upkeep/domain/upkeep-domain.js';
import { familiesOf, operationsOf, statedBy } from './upkeep/domain/domain.js';
import { Lines } from './upkeep/lines/lines.js';

test('each family has a number of one byte and a name of its own', () => {
  const numbers = families.names.map((name) => families.get(name).number);
  expect(new Set(numbers).size).toBe(numbers.length);
  expect(numbers.every((number) => number >= 0 && number < 256)).toBe(true);
  expect(new Set(families.names).size).toBe(families.names.length);
  for (const name of families.names) {
    expect(families.get(name).name).toBe(name);
    expect(families.ofKey(Buffer.from([0, families.get(name).number]))).toBe(name);
  }
});

test('the counted families are walked in the order of keys', () => {
  const stated = families.names.filter((name) => families.get(name).facts.counts !== null);
  const walked: number[] = [];
  for (
    let number = families.nextCounted(-1);
    number !== undefined;
    number = families.nextCounted(number)
  ) {
    walked.push(number);
  }
  expect(walked).toEqual(stated.map((name) => families.get(name).number));
  for (const number of walked) expect(families.countingRule(number)).toBeDefined();
});

test('a family that goes with its source has one, which goes too or says who stays', () => {
  for (const name of families.names) {
    const { erased, exported } = families.get(name).facts;
    const source = families.sourceOf(name);
    if (erased === 'derived' || exported === 'derived') expect(source, name).toBeDefined();
    if (source !== undefined && exported === 'derived') {
      expect(families.get(source).facts.derived, name).toBeUndefined();
    }
  }
});

test('every line of exports belongs to a family of a scope or of a tenant', () => {
  const ofDomains = statedBy(domains, 'lines');
  const stated = ofDomains.flatMap(({ plain = [], own = [] }) => [...plain, ...own]);
  const { all } = new Lines(families, ofDomains);
  for (const { family } of all) expect(['scope', 'tenant']).toContain(family.facts.owner);
  const found = all.map(({ plain, own }) => (plain ?? own).name);
  expect(found.toSorted()).toEqual(stated.map(({ name }) => name).toSorted());
});

test('members of lines of exports are in lines that exist', () => {
  const { all } = new Lines(families, statedBy(domains, 'lines'));
  const names = ['branch', ...all.map(({ plain, own }) => (plain ?? own).name)];
  for (const name of families.names) {
    const { exported } = families.get(name).facts;
    if (exported !== 'derived' && 'partOf' in exported) {
      expect(names, name).toContain(exported.partOf);
    }
  }
});

test('domains name only existing families in their erasures', () => {
  for (const { provesCallers = [], goingWith = {}, removing = {} } of statedBy(
    domains,
    'erasure',
  )) {
    const named = [...provesCallers, ...Object.keys(goingWith), ...Object.keys(removing)];
    for (const name of named) expect(families.names).toContain(name);
  }
});

test('no two domains have an operation of one name', () => {
  expect(() => operationsOf([upkeep, upkeep])).toThrow('Two operations are named ');
});

test('only families of scopes name a subject behind the first part of their keys', () => {
  for (const name of families.names) {
    const { subjectAt, owner } = families.get(name).facts;
    if (subjectAt === undefined) continue;
    expect(owner, name).toBe('scope');
    expect(families.get(name).shape[subjectAt], name).toBe('text');
  }
});

test('the trees of a data file are those of families that memory commands append to', () => {
  const named = (['memoryRecords', 'memoryScan', 'memoryReceipts', 'memoryChanges'] as const).map(
    (name) => families.get(name).number,
  );
  expect(OWN_TREES).toEqual(named);
});

test('what works for all domains alike names no family of one as text', async () => {
  const own = new Set(familiesOf([upkeep]).names);
  // A word of one part, such as "accounts", names other things too.
  const foreign = families.names.filter((name) => !own.has(name) && /[A-Z]/u.test(name));
  const quoted = new RegExp(`['"\`](?:${foreign.join('|')})['"\`]`, 'u');
  const named: string[] = [];
  for (const room of ['storage', 'kernel', 'upkeep']) {
    const folder = new URL(`${room}/`, import.meta.url);
    for (const path of await readdir(folder, { recursive: true })) {
      if (!path.endsWith('.ts') || path.endsWith('.test.ts')) continue;
      const [found] = quoted.exec(await readFile(new URL(path, folder), 'utf8')) ?? [];
      if (found !== undefined) named.push(`${room}/${path} names ${found}`);
    }
  }
  expect(foreign).toContain('memoryRecords');
  expect(named).toEqual([]);
});
