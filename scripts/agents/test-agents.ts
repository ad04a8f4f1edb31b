/**
 * Tries memory in the real coding agents against a scripted model: `npm run test:agents
 * [-- codex gemini]`. Prints a row for each program and each memory; fails if something does not
 * hold. The programs come from the registry into a temporary folder.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { output } from '../package-installs/packed-packages.ts';
import { type AgentProgram, programs, untried } from './programs.ts';
import { ScriptedModel } from './scripted-model.ts';
import { type MemoryLocation, type Seen, tryProgram } from './trial.ts';

/** A hook takes no longer, with the start of Node.js, beside its wait for a processor. */
const PROMPT_MS_MAX = 300;

const HEADER = [
  ...['PROGRAM', 'VERSION', 'MEMORY', 'RECALLED', 'NOT TO OTHERS', 'NO SECRETS', 'PARSED'],
  ...['UNINSTALLED', 'SLOWEST HOOK', 'ITS NODE START', 'ITS QUEUE', 'SLOWEST WITHOUT', 'HOOKS'],
];

interface Installed {
  readonly version: string;
  readonly bin: string;
}

function install(folder: string, { package: name, bin }: AgentProgram): Installed {
  const words = ['--no-audit', '--no-fund', '--loglevel=error'];
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  output('npm', ['install', ...words, name], folder);
  const manifest = join(folder, 'node_modules', name, 'package.json');
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  return { version, bin: join(folder, 'node_modules/.bin', bin) };
}

/** Returns a row, and what does not hold. */
function rowOf(seen: Seen): { readonly cells: readonly string[]; readonly wrong: string[] } {
  const { recalled, others, secrets, parsed, uninstalled, times } = seen;
  const slowest = times.toSorted((one, other) => other.wholeMs - one.wholeMs)[0];
  if (slowest === undefined) throw new Error('No hook was timed.');
  const longestMs = Math.max(...times.map(({ wholeMs, queuedMs }) => wholeMs - queuedMs));
  const late = longestMs > PROMPT_MS_MAX ? [`a hook took ${longestMs} ms by itself`] : [];
  const all = [recalled, others, secrets, parsed, uninstalled];
  const cells = all.map((wrong) => (wrong === '' ? 'yes' : 'NO'));
  const ms = (value: number) => `${value.toFixed(0)} ms`;
  return {
    cells: [
      ...[...cells, ms(slowest.wholeMs), ms(slowest.startMs), ms(slowest.queuedMs)],
      ...[ms(longestMs), String(times.length)],
    ],
    wrong: [...all.filter(Boolean), ...late],
  };
}

function printRow(cells: readonly string[]): void {
  const widths = HEADER.map((title) => Math.max(title.length, 11));
  console.log(cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
}

async function tried(program: AgentProgram, model: ScriptedModel): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'agentkeep-test-agents-'));
  try {
    const { version, bin } = install(folder, program);
    for (const location of ['store', 'server'] satisfies MemoryLocation[]) {
      const { cells, wrong } = rowOf(await tryProgram(program, bin, model, location));
      printRow([program.host, version, location, ...cells]);
      if (wrong.length > 0) process.exitCode = 1;
      for (const each of wrong) console.error(`  ${each}`);
    }
  } catch (error) {
    console.log(`${program.host}: failed`);
    console.error(`  ${(error as Error).message}`);
    process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const words = process.argv.slice(2);
const chosen = programs.filter(({ host }) => words.length === 0 || words.includes(host));
if (chosen.length < Math.max(1, words.length)) {
  throw new Error(`Choose from ${programs.map(({ host }) => host).join(', ')}.`);
}
await using model = await ScriptedModel.start();
printRow(HEADER);
for (const program of chosen) await tried(program, model);
for (const [host, reason] of untried) console.log(`${host}: not tried, as ${reason}`);
