/**
 * Runs every test that chooses by a seed with one fresh seed after the other, until one fails or
 * the time is over: `npm run test:hunt -- [--minutes 5] [--seed n] [words for vitest]`. A given seed
 * is the first one.
 */
import { randomInt } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { root, runVitest, takeOption } from './vitest.mjs';

const words = process.argv.slice(2);
const minutes = Number(takeOption(words, 'minutes') ?? 5);
const firstSeed = takeOption(words, 'seed');

/** What a test that chooses by the seed has in it. */
const SEEDED = /from 'fast-check'|inject\('seed'\)|store-histories'|playHistories/;

function seededTests() {
  const packages = ['contract-cases', 'core', 'langgraph', 'postgres', 'proof', 'server'];
  return packages
    .map((name) => `packages/${name}`)
    .flatMap((folder) => ['src', 'test'].map((part) => join(root, folder, part)))
    .flatMap((folder) => {
      const names = readdirSync(folder, { recursive: true }).map(String);
      return names.map((name) => join(folder, name));
    })
    .filter((path) => path.endsWith('.test.ts') && SEEDED.test(readFileSync(path, 'utf8')))
    .map((path) => relative(root, path));
}

const files = words.some((word) => !word.startsWith('-')) ? [] : seededTests();
const directory = mkdtempSync(join(tmpdir(), 'agentkeep-hunt-'));
const report = join(directory, 'report.json');

function failedFiles() {
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  const failed = testResults.filter(({ status }) => status === 'failed');
  return failed.map(({ name }) => relative(root, name));
}

function hunt() {
  const endMs = Date.now() + minutes * 60_000;
  const seeds = [];
  do {
    const seed = seeds.length === 0 && firstSeed ? firstSeed : String(randomInt(1_000_000_000));
    seeds.push(seed);
    console.log(`\n== seed ${seed}`);
    const reporters = ['--reporter=dot', '--reporter=json', `--outputFile=${report}`];
    if (runVitest([...reporters, ...words, ...files], { seed })) continue;
    console.error(`\nSeed ${seed} fails. This repeats it:`);
    console.error(`  npm test -- --seed ${seed} ${failedFiles().join(' ')}`);
    return 1;
  } while (Date.now() < endMs);
  console.log(`\nNothing failed with ${seeds.length} seeds: ${seeds.join(', ')}.`);
  return 0;
}

try {
  process.exitCode = hunt();
} finally {
  rmSync(directory, { recursive: true, force: true });
}
