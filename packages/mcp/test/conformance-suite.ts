/** The conformance suite of the protocol, as a process whose results are read from its files. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** A check of a scenario. */
interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

/** The checks of each scenario. */
export type Outcomes = ReadonlyMap<string, readonly Check[]>;

const require = createRequire(import.meta.url);
const suite = require.resolve('@modelcontextprotocol/conformance/dist/index.js');
const hook = pathToFileURL(fileURLToPath(new URL('conformance-hook.mjs', import.meta.url))).href;

/**
 * Runs a command of the suite, and returns what each scenario found. `meanwhile` does what the
 * suite asks of a person.
 */
export async function runSuite(
  words: readonly string[],
  meanwhile: (child: ChildProcess) => Promise<void> = () => Promise.resolve(),
): Promise<Outcomes> {
  const folder = await mkdtemp(join(tmpdir(), 'agentkeep-mcp-'));
  const command = ['--import', hook, suite, ...words, '--output-dir', folder];
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'ignore'] });
  const closed = once(child, 'close');
  try {
    await meanwhile(child);
    child.stdout.resume();
    await closed;
    return await outcomesIn(folder);
  } finally {
    // Without its answer the suite would wait for minutes.
    child.kill();
    await closed;
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the checks that failed, without those that need the suite's own tools in a server. */
export function failures(outcomes: Outcomes, scenario: string): readonly string[] {
  const checks = outcomes.get(scenario);
  if (checks === undefined) return [`${scenario} did not run`];
  const failed = checks.filter(
    ({ status, errorMessage }) =>
      !['SUCCESS', 'INFO', 'WARNING', 'SKIPPED'].includes(status) &&
      errorMessage?.startsWith('Not testable') !== true,
  );
  return failed.map(({ id, errorMessage }) => `${scenario}: ${id}: ${errorMessage ?? ''}`);
}

async function outcomesIn(folder: string): Promise<Outcomes> {
  const outcomes = new Map<string, Check[]>();
  for (const name of await readdir(folder, { recursive: true })) {
    const scenario =
      /^(?:server|authorization-server)-(.+)-\d{4}-\d\d-\d\dT[^/]*\/checks\.json$/.exec(name)?.[1];
    if (scenario === undefined) continue;
    outcomes.set(scenario, JSON.parse(await readFile(join(folder, name), 'utf8')) as Check[]);
  }
  return outcomes;
}
