/**
 * Runs the benchmarks. Prints how close Agentkeep comes to the raw part below it, or absolute
 * figures where no raw part exists. Arguments select groups by parts of their names; `compare`,
 * `litestream`, `recall` and `search-peers` run only if they are named, because they install what
 * they compare with. `--json` adds a final JSON line of names and figures. `--report` puts the figures into
 * `docs/performance.md` and the guide of learning.
 */
import { auditBenchmarks } from './audit.js';
import { changeBenchmarks } from './changes.js';
import { chainBenchmarks } from './chain.js';
import { commandBenchmarks } from './command.js';
import { compareBenchmarks } from './compare/index.js';
import { directoryBenchmarks } from './directory.js';
import { distanceBenchmarks } from './distance.js';
import { exportBenchmarks } from './exports.js';
import { erasureBenchmarks } from './erasure.js';
import { httpBenchmarks } from './http.js';
import { learningBenchmarks } from './learning/index.js';
import { litestreamBenchmarks } from './litestream/index.js';
import { loginBenchmarks } from './login.js';
import type { Comparison, Reading } from './measure.js';
import { memorySearchBenchmarks } from './memory-search.js';
import { nearestBenchmarks } from './nearest.js';
import { neighbourBenchmarks } from './neighbours.js';
import { openingBenchmarks } from './opening.js';
import { pauseBenchmarks } from './pauses.js';
import { postgresBenchmarks } from './postgres.js';
import { queryBenchmarks } from './query.js';
import { readBenchmarks } from './read.js';
import { recallBenchmarks } from './recall/index.js';
import { replicationBenchmarks } from './replication.js';
import { writeReport } from './report.js';
import { sealingBenchmarks } from './sealing.js';
import { searchPeersBenchmarks } from './search-peers.js';
import { selectionBenchmarks } from './selection.js';
import { snapshotBenchmarks } from './snapshot.js';
import { tokenBenchmarks } from './token.js';
import { viewBenchmarks } from './views.js';

const benchmarks = {
  command: commandBenchmarks,
  read: readBenchmarks,
  query: queryBenchmarks,
  changes: () => changeBenchmarks(),
  search: () => memorySearchBenchmarks(),
  nearest: () => nearestBenchmarks(),
  views: () => viewBenchmarks(),
  token: tokenBenchmarks,
  directory: directoryBenchmarks,
  http: httpBenchmarks,
  login: loginBenchmarks,
  snapshot: snapshotBenchmarks,
  replication: () => replicationBenchmarks(),
  exports: () => exportBenchmarks(),
  erasure: () => erasureBenchmarks(),
  audit: auditBenchmarks,
  sealing: sealingBenchmarks,
  selection: selectionBenchmarks,
  learning: () => learningBenchmarks(),
  opening: openingBenchmarks,
  pauses: pauseBenchmarks,
  neighbours: neighbourBenchmarks,
  postgres: postgresBenchmarks,
  distance: () => distanceBenchmarks(),
  chain: () => chainBenchmarks(),
  recall: () => recallBenchmarks(),
  'search-peers': () => searchPeersBenchmarks(),
  litestream: () => litestreamBenchmarks(),
  compare: () => compareBenchmarks(),
};

/** These install what they compare with. */
const NAMED_ONLY = new Set(['recall', 'search-peers', 'litestream', 'compare']);

const asked = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const measured: (Comparison | Reading)[] = [];
const failures: Record<string, string> = {};
for (const [name, run] of Object.entries(benchmarks)) {
  const isAsked = asked.some((part) => name.includes(part));
  if (!isAsked && (asked.length > 0 || NAMED_ONLY.has(name))) continue;
  const startedMs = performance.now();
  try {
    for await (const each of run()) {
      measured.push(each);
      console.log('ratio' in each ? comparisonLine(each) : readingLine(each));
    }
  } catch (error) {
    // The other groups are still worth measuring.
    failures[name] = String(error);
    process.exitCode = 1;
    console.error(`${name} failed:`, error);
  }
  console.log(`${' '.repeat(29)}${name} took ${seconds(performance.now() - startedMs)}`);
}
if (process.argv.includes('--report')) await writeReport(measured);
if (process.argv.includes('--json')) {
  const failed = Object.keys(failures).length === 0 ? {} : { failures };
  console.log(JSON.stringify({ ...figuresOf(measured), ...failed }));
}

function comparisonLine(comparison: Comparison): string {
  const { name, ratio, perSecond, rawPerSecond, target, against } = comparison;
  const figures = `${rate(perSecond)}/s against ${rate(rawPerSecond)}/s ${against ?? 'raw'}`;
  const verdict = `${percent(ratio)} (target ${percent(target)})`;
  return `${name.padEnd(28)} ${verdict.padEnd(22)} ${figures}`;
}

function readingLine({ name, figures }: Reading): string {
  const parts = Object.entries(figures).map(([figure, value]) => `${figure} ${amount(value)}`);
  return `${name.padEnd(28)} ${parts.join(', ')}`;
}

function amount(value: number): string {
  return value.toLocaleString('en-GB', { maximumFractionDigits: value < 100 ? 1 : 0 });
}

function rate(perSecond: number): string {
  return Math.round(perSecond).toLocaleString('en-GB').padStart(9);
}

function seconds(ms: number): string {
  return `${String(Math.round(ms / 1_000))} s`;
}

function percent(ratio: number): string {
  return `${String(Math.round(ratio * 100))} %`;
}

function figuresOf(all: readonly (Comparison | Reading)[]): Record<string, object> {
  return Object.fromEntries(all.map(({ name, ...figures }) => [name, figures]));
}
