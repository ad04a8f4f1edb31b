/**
 * Formats rounds as the table that `docs/scaling.md` sums up.
 */
import type { RoundRow } from './rounds.js';

const HEAD = [
  ...['Round', 'Fault', 'Host', 'Seconds away', 'Acknowledged', 'Lost', 'Doubled', 'Gaps'],
  ...['Undelivered', 'Allowed', 'Refused', 'Clients saw'],
];

/** Returns the table in Markdown, then the first faults of each round. */
export function roundsTable(rows: readonly RoundRow[]): string {
  const cells = [HEAD, ...rows.map(cellsOf), totalOf(rows)];
  const widths = HEAD.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  const lines = cells.map(
    (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`,
  );
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  const [head, ...rest] = lines;
  const details = rows.flatMap(({ round, details: found }) =>
    found.slice(0, 3).map((detail) => `Round ${String(round)}: ${detail}`),
  );
  return [head, rule, ...rest, ...(details.length > 0 ? ['', ...details] : [])].join('\n');
}

/** Returns the number of broken promises of a round. */
export function faultsOf(row: RoundRow): number {
  return row.lost + row.doubled + row.gaps + row.undelivered + row.allowed + row.refusals;
}

function cellsOf(row: RoundRow): string[] {
  const { round, fault, host, away, seen } = row;
  return [String(round), fault, host, away.toFixed(1), ...countsOf(row).map(String), seen];
}

function totalOf(rows: readonly RoundRow[]): string[] {
  const sums = rows.map(countsOf).reduce(
    (one, other) => one.map((count, at) => count + other[at]!),
    HEAD.slice(4, -1).map(() => 0),
  );
  const away = Math.max(0, ...rows.map((row) => row.away));
  return ['All', '', '', `${away.toFixed(1)} at most`, ...sums.map(String), ''];
}

function countsOf(row: RoundRow): number[] {
  const { acknowledged, lost, doubled, gaps, undelivered, allowed, refusals } = row;
  return [acknowledged, lost, doubled, gaps, undelivered, allowed, refusals];
}
