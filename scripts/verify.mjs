/**
 * Runs every check of the workspace, fastest first, and prints the time of each. `lint` reads only
 * and uses one core, so it runs beside the others, and its output is printed at the end.
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
  'python:types',
  'deps:check',
  'deletion:check',
  'tidy',
  'knip',
  'openapi:check',
  'docs:check',
  'docs:site',
  'lint',
  'build',
  'pkg:check',
  'test',
  'test:full',
];

/** The step that runs beside the others. */
const BESIDE = 'lint';

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

/** Runs a step. Returns its result, with its output unless that was inherited. */
async function runStep(step, stdio) {
  const startedMs = Date.now();
  const child = spawn(scripts[step], { cwd: root, env, shell: true, stdio });
  const chunks = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (data) => chunks.push(data));
  const [status] = await once(child, 'close');
  const seconds = (Date.now() - startedMs) / 1000;
  return { step, isGood: status === 0, seconds, output: Buffer.concat(chunks).toString() };
}

function announce(step) {
  console.log(`\n== ${step}`);
}

const results = [];
const beside = chosen.filter((step) => step === BESIDE).map((step) => runStep(step, 'pipe'));
for (const step of chosen.filter((each) => each !== BESIDE)) {
  announce(step);
  results.push(await runStep(step, 'inherit'));
}
for (const result of await Promise.all(beside)) {
  announce(result.step);
  console.log(result.output);
  results.push(result);
}
console.log('');
for (const { step, isGood, seconds } of results) {
  console.log(`${isGood ? 'ok    ' : 'FAILED'} ${step.padEnd(14)} ${seconds.toFixed(1)} s`);
}
const failures = results.filter(({ isGood }) => !isGood);
if (values['failures-file']) writeFileSync(values['failures-file'], String(failures.length));
process.exitCode = failures.length > 0 ? 1 : 0;
