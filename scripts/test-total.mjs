/**
 * Adds up the reports of test runs and prints one line: how many passed, how many failed.
 *
 * Usage: `node scripts/test-total.mjs <failed checks> <report.json …>`. A missing report, a test
 * file that could not be loaded, and a failed check each count as one failure.
 */
import { readFileSync } from 'node:fs';

const [failedChecks = '0', ...reports] = process.argv.slice(2);
let passed = 0;
let failed = Number(failedChecks);

function countFile({ name, status, assertionResults, message }) {
  const outcomes = assertionResults.map((result) => result.status);
  const failures = outcomes.filter((outcome) => outcome === 'failed').length;
  passed += outcomes.filter((outcome) => outcome === 'passed').length;
  failed += failures;
  if (status !== 'failed' || failures > 0) return;
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
