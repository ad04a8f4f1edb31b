/**
 * Adds up the reports of test runs: names each test that failed, with the first lines of its
 * error, and prints one last line: how many passed, how many failed.
 *
 * Usage: `node scripts/test-total.mjs <failed checks> <report.json …>`. A missing report, a test
 * file that could not be loaded, and a failed check each count as one failure.
 */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const [failedChecks = '0', ...reports] = process.argv.slice(2);
let passed = 0;
let failed = Number(failedChecks);

const ERROR_LINES_SHOWN = 6;

function printFailure(file, { fullName, failureMessages }) {
  const error = stripVTControlCharacters(failureMessages.join('\n'));
  const lines = error.split('\n').slice(0, ERROR_LINES_SHOWN);
  console.log([`FAILED ${file} > ${fullName}`, ...lines.map((line) => `    ${line}`)].join('\n'));
}

function countFile({ name, status, assertionResults, message }) {
  const failures = assertionResults.filter((result) => result.status === 'failed');
  passed += assertionResults.filter((result) => result.status === 'passed').length;
  failed += failures.length;
  for (const failure of failures) printFailure(relative(process.cwd(), name), failure);
  if (status !== 'failed' || failures.length > 0) return;
  failed += 1;
  console.log(`${name} did not load: ${message}`);
}

function countReport(path) {
  const failedBefore = failed;
  try {
    const { success, testResults } = JSON.parse(readFileSync(path, 'utf8'));
    testResults.forEach(countFile);
    if (!success && failed === failedBefore) failed += 1;
  } catch (error) {
    console.log(`Cannot read a test report: ${error.message}`);
    failed += 1;
  }
}

reports.forEach(countReport);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
