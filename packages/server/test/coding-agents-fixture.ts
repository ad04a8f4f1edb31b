/** A person's machine with hooks of coding agents: a home folder, projects, and processes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** Between two looks at processes that end. The runner of tests is not there for `test:agents`. */
const POLL_MS = 10;
const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.url));

/** What a process gave. */
export interface Ended {
  readonly status: number | null;
  readonly out: string;
  readonly error: string;
}

/** One machine. */
export class Machine implements AsyncDisposable {
  readonly home = mkdtempSync(join(tmpdir(), 'agentkeep-agents-'));
  readonly agents = join(this.home, 'agents');
  readonly environment: Record<string, string>;

  constructor(environment: Record<string, string> = {}) {
    this.environment = {
      PATH: process.env['PATH'] ?? '',
      HOME: this.home,
      AGENTKEEP_AGENTS_DIR: this.agents,
      // A busy machine answers late; a test of its own shows the bound.
      AGENTKEEP_AGENTS_PROMPT_MS: '60000',
      ...environment,
    };
  }

  /** Makes a project with a remote. */
  project(name: string): string {
    const folder = join(this.home, 'projects', name);
    mkdirSync(join(folder, '.git'), { recursive: true });
    const remote = `[remote "origin"]\n\turl = git@keep.example:acme/${name}.git\n`;
    writeFileSync(join(folder, '.git', 'config'), remote);
    return folder;
  }

  /** Starts `agentkeep`. */
  start(words: readonly string[], cwd = this.home): ChildProcess {
    return spawn(process.execPath, [cli, ...words], { cwd, env: this.environment });
  }

  /** Runs `agentkeep` to its end. */
  async run(words: readonly string[], { input = '', cwd = this.home } = {}): Promise<Ended> {
    const child = this.start(words, cwd);
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
    const [out, error] = await Promise.all([
      text(child.stdout!),
      text(child.stderr!),
      once(child, 'close'),
    ]);
    return { status: child.exitCode, out, error };
  }

  /** Runs a hook, and returns what the prompt gets beside it. */
  async hook(event: Readonly<Record<string, unknown>>, host = 'claude-code'): Promise<string> {
    const { status, out, error } = await this.run(['hook', host], { input: JSON.stringify(event) });
    if (status !== 0) throw new Error(`The hook failed: ${error}`);
    if (out === '') return '';
    const { hookSpecificOutput } = JSON.parse(out) as {
      hookSpecificOutput: { additionalContext: string };
    };
    return hookSpecificOutput.additionalContext;
  }

  /** Texts that wait for the server. */
  waiting(): readonly string[] {
    return filesIn(join(this.agents, 'spool')).filter((path) => path.endsWith('.json'));
  }

  /** Returns the helpers of this machine. */
  helpers(): readonly number[] {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((pid) => isHelper(pid, this.agents));
  }

  /** Kills all helpers, and waits until each has let go of its files. */
  async killHelpers(): Promise<void> {
    const pids = this.helpers();
    for (const pid of pids) killIfThere(pid);
    while (pids.some(holdsFiles)) await delay(POLL_MS);
  }

  /** Returns the files of the home folder that hold a text, byte for byte. */
  filesWith(bytes: string): readonly string[] {
    return filesIn(this.home).filter((path) => readFileSync(path).includes(bytes));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.killHelpers();
    rmSync(this.home, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** Kills a process. A helper that finds the store in use ends by itself, maybe before that. */
export function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function isHelper(pid: number, folder: string): boolean {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return words.includes('helper') && readlinkSync(`/proc/${pid}/cwd`) === folder;
  } catch {
    return false;
  }
}

/**
 * Whether a process may still have open files. A killed process loses its command line and its
 * folder first, and its files and their locks with its last thread. The first thread may be a
 * zombie long before.
 */
function holdsFiles(pid: number): boolean {
  try {
    const isEnded = /^State:\t[ZX]/mu.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return !isEnded || readdirSync(`/proc/${pid}/task`).length > 1;
  } catch {
    return false;
  }
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
