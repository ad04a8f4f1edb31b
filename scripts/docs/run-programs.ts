/**
 * Runs the programs of the documentation in this process, each twice in a directory of its own:
 * what readers paste runs again on the data of its first run.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import type { DocsProgram } from './programs.ts';

/** Returns the errors of the programs. Their output is not shown. */
export async function runProblems(programs: readonly DocsProgram[]): Promise<string[]> {
  const problems: string[] = [];
  const home = process.cwd();
  const { log } = console;
  console.log = () => undefined;
  try {
    for (const program of programs) problems.push(...(await problemsOf(program)));
  } finally {
    console.log = log;
    process.chdir(home);
  }
  return problems;
}

/** Each run is a module of its own address, so that it is evaluated again. */
const RUNS = ['first run', 'second run'];

async function problemsOf({ path, source }: DocsProgram): Promise<string[]> {
  const directory = mkdtempSync(join(tmpdir(), 'agentkeep-docs-'));
  process.chdir(directory);
  let run = '';
  try {
    for (run of RUNS) await import(`${pathToFileURL(path).href}?${encodeURIComponent(run)}`);
    return [];
  } catch (error) {
    return [`${source}, ${run}: ${inspect(error).replaceAll(path, source)}`];
  } finally {
    process.chdir(tmpdir());
    rmSync(directory, { recursive: true, force: true });
  }
}
