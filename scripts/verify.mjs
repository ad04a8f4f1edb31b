/**
 * Runs every check of the workspace, two at a time, and prints the output and the time of each.
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

/** Runs before all others, alone. */
const first = ['setup'];

/** Run two at a time, those that take longest first; each after the steps that it names. */
const beside = {
  build: [],
  'pkg:installs': ['build'],
  'pkg:check': ['build'],
  'deletion:check': [],
  'docs:check': [],
  'docs:site': ['docs:check'],
  lint: [],
  typecheck: [],
  'python:types': [],
  'deps:check': [],
  knip: [],
  'openapi:check': [],
  'format:check': [],
  tidy: [],
};

/** Run after all others, one after the other, because each uses both cores. */
const last = ['test', 'test:full'];

const LANES = 2;

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
const isChosen = (step) => (only ? only.includes(step) : !skip.includes(step));

const results = [];

/** Runs a step, and prints what it printed: at once, or as a whole at its end. */
async function run(step, stdio) {
  const startedMs = Date.now();
  const child = spawn(scripts[step], { cwd: root, env, shell: true, stdio });
  const printed = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => printed.push(chunk));
  }
  const [status] = await once(child, 'close');
  const seconds = (Date.now() - startedMs) / 1000;
  if (stdio !== 'inherit') console.log(`\n== ${step}\n${Buffer.concat(printed)}`);
  results.push({ step, isGood: status === 0, seconds });
}

async function runAlone(steps) {
  for (const step of steps.filter(isChosen)) {
    console.log(`\n== ${step}`);
    await run(step, 'inherit');
  }
}

/** Starts steps as lanes become free. A step waits for those that it names, if they run at all. */
async function runBeside() {
  const waiting = Object.keys(beside).filter(isChosen);
  const running = new Map();
  const isReady = (step) =>
    beside[step].every((other) => !waiting.includes(other) && !running.has(other));
  while (waiting.length > 0 || running.size > 0) {
    for (const step of waiting.filter(isReady)) {
      if (running.size === LANES) break;
      waiting.splice(waiting.indexOf(step), 1);
      const done = run(step, ['ignore', 'pipe', 'pipe']).then(() => running.delete(step));
      running.set(step, done);
    }
    await Promise.race(running.values());
  }
}

await runAlone(first);
await runBeside();
await runAlone(last);

console.log('');
for (const { step, isGood, seconds } of results) {
  console.log(`${isGood ? 'ok    ' : 'FAILED'} ${step.padEnd(14)} ${seconds.toFixed(1)} s`);
}
const failures = results.filter(({ isGood }) => !isGood);
if (values['failures-file']) writeFileSync(values['failures-file'], String(failures.length));
process.exitCode = failures.length > 0 ? 1 : 0;
