/** The security page has all operations and endpoints that wait, come in slices or go on. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AgentkeepError, operations } from '@agentkeep/core';
import type { Operation } from '@agentkeep/core/operator';
import { expect, test } from 'vitest';
import { pathTargets } from '../src/http/path-targets.js';

const page = readFileSync(join(import.meta.dirname, '../../../docs/security.md'), 'utf8');
const [, after = ''] = page.split('## What answers in parts or keeps a connection\n');
const [section = ''] = after.split('\n## ');
const rows = section
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(2)
  .map((line) => line.split('|').map((cell) => cell.trim()));

/** Names by the title of their row. */
const namesIn = (title: string): string[] =>
  rows
    .filter(([, what]) => what === title)
    .flatMap(([, , names = '']) => Array.from(names.matchAll(/`(\w+)`/g), ([, name = '']) => name));

const all: readonly Operation[] = Object.values(operations);
const stating = (isBound: (error: AgentkeepError) => boolean): string[] =>
  all
    .filter(({ errors }) => errors.some((code) => isBound(new AgentkeepError(code))))
    .map(({ name }) => name);
const withoutOperation = pathTargets({ hasMetrics: true, hasMcp: true })
  .flatMap(({ byMethod }) => [...byMethod.values()])
  .filter((target) => !('operation' in target))
  .map(({ name }) => name);

test.each([
  [
    'Work in slices, and pages',
    all.filter((operation) => 'isHeavy' in operation && operation.isHeavy).map(({ name }) => name),
  ],
  ['Waits and streams of changes', stating(({ kind }) => kind === 'crowded')],
  [
    'Passwords that wait to be hashed',
    stating(({ kind, code }) => kind === 'busy' && code !== 'issuer_unavailable'),
  ],
  ['Fetches of keys of issuers', stating(({ code }) => code === 'issuer_unavailable')],
  ['Snapshots', stating(({ code }) => code === 'snapshot_in_progress')],
])('%s: the operations are those of the code', (title, names) => {
  expect(names).not.toEqual([]);
  expect(namesIn(title).sort()).toEqual(names.toSorted());
});

test('an operation that takes a time to wait is among those that wait', () => {
  const waiting = all.filter(({ input }) => JSON.stringify(input).includes('wait_millis'));
  expect(waiting.map(({ name }) => name)).toEqual(namesIn('Waits and streams of changes'));
});

test('every endpoint that is no operation has a row', () => {
  const known = new Set(rows.flatMap(([, what = '']) => namesIn(what)));
  expect(withoutOperation.filter((name) => !known.has(name))).toEqual([]);
});

test('every row names its bounds and a test', () => {
  for (const [, , , bounds, shown] of rows) {
    expect(bounds).not.toBe('');
    expect(shown).toMatch(/`[\w/.-]+ › [^`]+`/);
  }
});
