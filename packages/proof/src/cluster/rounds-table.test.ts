/** The table of rounds. */
import { expect, test } from 'vitest';
import { faultsOf, roundsTable } from './rounds-table.js';

const row = {
  ...{ round: 1, fault: 'kill the primary', host: 'db1', away: 21.34, acknowledged: 900 },
  ...{ lost: 0, doubled: 0, gaps: 0, undelivered: 0, allowed: 0, refusals: 0 },
  ...{ details: [], seen: 'internal_error 3' },
};

test('it has a row for each round, their sums, and what broke', () => {
  const broken = { ...row, round: 2, lost: 2, allowed: 1, details: ['a is gone.', 'b is gone.'] };
  expect([row, broken].map(faultsOf)).toEqual([0, 3]);
  const lines = roundsTable([row, broken]).split('\n');
  expect(lines[2]).toMatch(/^\| 1 +\| kill the primary \| db1 +\| 21\.3 +\| 900 /u);
  expect(lines[4]).toMatch(/^\| All .*\| 21\.3 at most \| 1800 +\| 2 /u);
  expect(lines.slice(-2)).toEqual(['Round 2: a is gone.', 'Round 2: b is gone.']);
});
