/**
 * Formats outcomes as a table of work done, violations and seconds.
 */
import type { Outcome } from './run-proofs.js';

const HEAD = ['Proof', 'Done', 'Violations', 'Seconds'];

/** Returns the table, then a line for every violation and every proof that did not finish. */
export function proofTable(outcomes: readonly Outcome[]): string {
  const rows = [HEAD, ...outcomes.map(rowOf), totals(outcomes)];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const lines = rows.map((row) => row.map((cell, index) => cell.padEnd(widths[index]!)).join('  '));
  const rule = widths.map((width) => '-'.repeat(width)).join('  ');
  const [head, ...rest] = lines.map((line) => line.trimEnd());
  return [head, rule, ...rest.slice(0, -1), rule, rest.at(-1), ...outcomes.flatMap(faultsOf)].join(
    '\n',
  );
}

function rowOf({ name, finding, seconds }: Outcome): string[] {
  if (finding === undefined) return [name, 'not finished', '?', seconds.toFixed(1)];
  return [name, doneText(finding.done), String(finding.violations.length), seconds.toFixed(1)];
}

function doneText(done: Readonly<Record<string, number>>): string {
  return Object.entries(done)
    .map(([what, count]) => `${count.toLocaleString('en')} ${what}`)
    .join(', ');
}

function totals(outcomes: readonly Outcome[]): string[] {
  const ended = outcomes.flatMap(({ finding }) => finding ?? []);
  const violations = ended.reduce((sum, finding) => sum + finding.violations.length, 0);
  const seconds = outcomes.reduce((sum, outcome) => sum + outcome.seconds, 0);
  const done = `${ended.length} of ${outcomes.length} proofs`;
  return ['All', done, String(violations), seconds.toFixed(1)];
}

function faultsOf({ name, finding, unfinished }: Outcome): string[] {
  if (unfinished !== undefined) return [`${name}: ${unfinished}`];
  return (finding?.violations ?? []).map((violation) => `${name}: ${violation}`);
}
