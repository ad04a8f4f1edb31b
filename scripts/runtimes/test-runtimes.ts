/**
 * Tries the packed client against a server in each runtime that it is made for:
 * `npm run test:runtimes [-- deno bun]`. Prints one line for each; fails if a step did.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TrialResult } from '../../packages/client/test/runtimes/trial.ts';
import { findBrowser, startPage } from './browser.ts';
import { requireLinux } from './fetched-packages.ts';
import { makeTrialFolder, type TrialFolder } from './trial-folder.ts';
import { onBun, onDeno, onEdgeRuntime, onNode, onWorkerd, type TrialRun } from './trial-runs.ts';
import { startTrialServer } from './trial-server.ts';

/** The result of a runtime. */
interface Tried extends TrialResult {
  readonly version: string;
}

type Trial = (folder: TrialFolder) => Promise<Tried>;

/** Tries of the interrupted call: its answer is lost, then it is refused, then it passes. */
const TRIES = 3;

function on(prepare: () => TrialRun): Trial {
  return async (folder) => {
    const { version, run } = prepare();
    await using server = await startTrialServer();
    const result = await run(folder, server.settings);
    return { version, ...withTries(result, server.tries()) };
  };
}

async function inBrowser(folder: TrialFolder): Promise<Tried> {
  const browser = findBrowser();
  if (browser === undefined) throw new Error('There is no Chromium on this machine; install it.');
  await using page = await startPage(browser.program);
  await using server = await startTrialServer(page.origin);
  const result = await page.run(folder, server.settings);
  return { version: browser.version, ...withTries(result, server.tries()) };
}

/** A retry has to be one of the client, since the answer of the first try was lost. */
function withTries(result: TrialResult, tries: number): TrialResult {
  if (result.problem !== undefined || tries >= TRIES) return result;
  return { passed: result.passed, problem: `retry: ${tries} tries reached the server` };
}

const trials: Readonly<Record<string, Trial>> = {
  node: on(onNode),
  deno: on(onDeno),
  bun: on(onBun),
  workerd: on(onWorkerd),
  'edge-runtime': on(onEdgeRuntime),
  chromium: inBrowser,
};

async function tried(name: string, folder: TrialFolder): Promise<boolean> {
  try {
    const result = await trials[name]?.(folder);
    if (result === undefined) throw new Error(`Choose from ${Object.keys(trials).join(', ')}.`);
    const { version, passed, problem } = result;
    const failed = problem === undefined ? 0 : 1;
    console.log(`${name} ${version}: ${passed.length} passed, ${failed} failed`);
    if (problem !== undefined) console.error(`  ${problem}`);
    return problem === undefined;
  } catch (error) {
    console.log(`${name}: 0 passed, 1 failed`);
    console.error(`  ${(error as Error).message}`);
    return false;
  }
}

requireLinux();
const chosen = process.argv.slice(2);
const scratch = mkdtempSync(join(tmpdir(), 'agentkeep-runtimes-'));
try {
  const folder = await makeTrialFolder(scratch);
  for (const name of chosen.length > 0 ? chosen : Object.keys(trials)) {
    if (!(await tried(name, folder))) process.exitCode = 1;
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
