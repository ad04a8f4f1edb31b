/**
 * Runs every check of the workspace, fastest first, and prints the time of each.
 *
 * `--only a,b` runs just these, `--skip a,b` all but these. A failure does not stop the remaining
 * checks.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const steps = [
  'setup',
  'format:check',
  'typecheck',
  'lint',
  'python:types',
  'deps:check',
  'deletion:check',
  'tidy',
  'knip',
  'openapi:check',
  'docs:check',
  'docs:site',
  'build',
  'pkg:check',
  'test',
  'test:full',
];

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const tools = join(root, 'node_modules/.bin');
const env = { ...process.env, PATH: `${tools}${delimiter}${process.env.PATH}` };

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    skip: { type: 'string', default: '' },
    'failures-file': { type: 'string' },
  },
});
const only = values.only?.split(',');
const skip = values.skip.split(',');
const chosen = steps.filter((step) => (only ? only.includes(step) : !skip.includes(step)));

const results = [];
for (const step of chosen) {
  console.log(`\n== ${step}`);
  const startedMs = Date.now();
  const child = spawn(scripts[step], { cwd: root, env, shell: true, stdio: 'inherit' });
  const [status] = await once(child, 'close');
  results.push({ step, isGood: status === 0, seconds: (Date.now() - startedMs) / 1000 });
}
console.log('');
for (const { step, isGood, seconds } of results) {
  console.log(`${isGood ? 'ok    ' : 'FAILED'} ${step.padEnd(14)} ${seconds.toFixed(1)} s`);
}
const failures = results.filter(({ isGood }) => !isGood);
if (values['failures-file']) writeFileSync(values['failures-file'], String(failures.length));
process.exitCode = failures.length > 0 ? 1 : 0;
