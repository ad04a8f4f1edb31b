/**
 * Runs the benchmarks and prints, for each, how near Agentkeep comes to the raw part that it stands
 * on. `--json` ends the output with one JSON line of name to figures; other arguments choose
 * benchmarks by a part of their name.
 * @module
 */
import { commandBenchmarks } from './command.js';
import { httpBenchmarks } from './http.js';
import type { Comparison } from './measure.js';
import { queryBenchmarks } from './query.js';
import { readBenchmarks } from './read.js';
import { tokenBenchmarks } from './token.js';

const benchmarks = {
  command: commandBenchmarks,
  read: readBenchmarks,
  query: queryBenchmarks,
  token: tokenBenchmarks,
  http: httpBenchmarks,
};

const asked = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const comparisons: Comparison[] = [];
for (const [name, run] of Object.entries(benchmarks)) {
  if (asked.length > 0 && !asked.some((part) => name.includes(part))) continue;
  for await (const comparison of run()) {
    comparisons.push(comparison);
    console.log(lineOf(comparison));
  }
}
if (process.argv.includes('--json')) console.log(JSON.stringify(figuresOf(comparisons)));

function lineOf({ name, ratio, perSecond, rawPerSecond, target }: Comparison): string {
  const figures = `${rate(perSecond)}/s against ${rate(rawPerSecond)}/s raw`;
  const verdict = `${percent(ratio)} (target ${percent(target)})`;
  return `${name.padEnd(28)} ${verdict.padEnd(22)} ${figures}`;
}

function rate(perSecond: number): string {
  return Math.round(perSecond).toLocaleString('en-GB').padStart(9);
}

function percent(ratio: number): string {
  return `${String(Math.round(ratio * 100))} %`;
}

function figuresOf(measured: readonly Comparison[]): Record<string, Omit<Comparison, 'name'>> {
  return Object.fromEntries(measured.map(({ name, ...figures }) => [name, figures]));
}
