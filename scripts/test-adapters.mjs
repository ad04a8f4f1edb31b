/**
 * Says which outside suites the adapters pass: `node scripts/test-adapters.mjs` runs the test files
 * that packages/<adapter>/outside-checks.json names, and `--report <report.json …>` takes the
 * results from reports of vitest instead of running them. Fails if a case failed or a file has
 * none.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, runVitest } from './vitest.mjs';

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** Returns every declared check: of which adapter, what is shown of it, and its test file. */
function declaredChecks() {
  return readdirSync(join(root, 'packages')).flatMap((adapter) => {
    const folder = join(root, 'packages', adapter);
    const list = join(folder, 'outside-checks.json');
    if (!existsSync(list)) return [];
    return readJson(list).map(({ suite, package: name, file }) => {
      const { version } = readJson(join(folder, 'node_modules', name, 'package.json'));
      return { adapter, suite, version: `${name} ${version}`, path: join(folder, file) };
    });
  });
}

/** Runs the files; returns their results. */
function run(paths) {
  const directory = mkdtempSync(join(tmpdir(), 'agentkeep-test-adapters-'));
  try {
    const report = join(directory, 'report.json');
    const isPassed = runVitest([
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...paths,
    ]);
    return { isPassed, testResults: readJson(report).testResults };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Returns a row of the table. A file that ran in several projects counts each time. */
function rowOf({ adapter, suite, version, path }, testResults) {
  const results = testResults.filter(({ name }) => name === path);
  const statuses = results.flatMap(({ assertionResults }) =>
    assertionResults.map(({ status }) => status),
  );
  const count = (wanted) => statuses.filter((status) => status === wanted).length;
  const passed = count('passed');
  const cases = passed + count('failed');
  const isGood = cases > 0 && passed === cases && results.every((each) => each.status === 'passed');
  return { isGood, cells: [adapter, suite, version, String(cases), String(passed)] };
}

function printTable(rows) {
  const head = ['adapter', 'outside suite', 'version', 'cases', 'passed'];
  const lines = [head, ...rows.map(({ cells }) => cells)];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  for (const line of lines) {
    const [adapter, suite, version, ...numbers] = line.map((cell, column) =>
      column < 3 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]),
    );
    console.log([adapter, suite, version, ...numbers].join('  '));
  }
}

/** Takes results from reports, instead of running the files. */
function taken(reports) {
  return { isPassed: true, testResults: reports.flatMap((path) => readJson(path).testResults) };
}

function main([option, ...reports]) {
  if (option !== undefined && (option !== '--report' || reports.length === 0)) {
    console.error('Usage: node scripts/test-adapters.mjs [--report report.json …]');
    return 2;
  }
  const checks = declaredChecks();
  const paths = [...new Set(checks.map(({ path }) => path))];
  const made = option === undefined ? run(paths) : taken(reports);
  const rows = checks.map((check) => rowOf(check, made.testResults));
  console.log();
  printTable(rows);
  const bad = rows.filter(({ isGood }) => !isGood);
  for (const { cells } of bad) console.error(`Not passed: ${cells[0]}, ${cells[1]}.`);
  return made.isPassed && rows.length > 0 && bad.length === 0 ? 0 : 1;
}

process.exitCode = main(process.argv.slice(2));
