/** A person with a home folder, who asks a coding agent there. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Machine } from '../../packages/server/test/coding-agents-fixture.ts';
import type { AgentProgram } from './programs.ts';

/** How long a hook took that a person waits for: at a prompt, or at the start of a session. */
export interface HookTime {
  /** Of that, until Node.js had started. */
  readonly startMs: number;
  readonly wholeMs: number;
  /** Of that, ready to run while the processors ran other processes. */
  readonly queuedMs: number;
}

/** The bound of the product. */
const PROMPT_MS = 300;
/** A program is ended after this long. */
const RUN_MS_MAX = 60_000;
/** After a failure a helper tries again in 10 seconds. */
const SETTLED_MS_MAX = 15_000;
const POLL_MS = 50;
const timer = pathToFileURL(join(import.meta.dirname, 'hook-timer.mjs')).href;

/** The person, with one program. */
export class Person implements AsyncDisposable {
  readonly machine: Machine;
  readonly #program: AgentProgram;
  readonly #bin: string;
  readonly #model: string;

  constructor(program: AgentProgram, bin: string, model: string) {
    this.machine = new Machine();
    this.#program = program;
    this.#bin = bin;
    this.#model = model;
    for (const [path, content] of Object.entries(program.files(model))) {
      mkdirSync(dirname(join(this.machine.home, path)), { recursive: true });
      writeFileSync(join(this.machine.home, path), content);
    }
  }

  /** Installs memory, in a store of the machine or at a server. */
  async install(server?: { readonly url: string; readonly secret: string }): Promise<void> {
    const words: string[] = [];
    if (server !== undefined) {
      const file = join(this.machine.home, 'secret');
      writeFileSync(file, server.secret, { mode: 0o600 });
      words.push('--server', server.url, '--secret-file', file);
    }
    await this.agentkeep(['install', this.#program.host, ...words]);
  }

  /** Runs `agentkeep` and returns what it prints. */
  async agentkeep(words: readonly string[]): Promise<string> {
    const { status, out, error } = await this.machine.run(words);
    if (status !== 0) throw new Error(`agentkeep ${words.join(' ')}: ${error}`);
    return out;
  }

  /**
   * Asks in a session of its own. Without `promptMs` the hook has the bound of the product; a
   * longer one shows what is recalled also where the machine is busy.
   */
  async ask(folder: string, prompt: string, promptMs = PROMPT_MS): Promise<void> {
    const bound = { AGENTKEEP_AGENTS_PROMPT_MS: String(promptMs) };
    await this.#run(folder, this.#program.words(prompt), bound);
  }

  /** Returns the list that the program prints of the servers in its configuration. */
  async listed(): Promise<string> {
    return this.#run(this.machine.home, this.#program.listWords);
  }

  /** Waits until nothing waits for the memory. */
  async settled(): Promise<void> {
    const until = Date.now() + SETTLED_MS_MAX;
    while (this.machine.waiting().length > 0) {
      if (Date.now() > until) throw new Error('Texts still wait for the memory.');
      await delay(POLL_MS);
    }
  }

  /** Returns how long hooks took since this was called last. */
  takeTimes(): readonly HookTime[] {
    const path = this.#timesFile;
    if (!existsSync(path)) return [];
    const lines = readFileSync(path, 'utf8').trim().split('\n');
    rmSync(path);
    const times = lines.map((line) => JSON.parse(line) as HookTime & { readonly event?: string });
    return times.filter(({ event = '' }) =>
      /SessionStart|UserPromptSubmit|BeforeAgent/.test(event),
    );
  }

  /** Returns the bytes of the program's files as they are now. */
  files(): Readonly<Record<string, string>> {
    const names = Object.keys(this.#program.files(this.#model));
    const text = (name: string) => readFileSync(join(this.machine.home, name), 'utf8');
    return Object.fromEntries(names.map((name) => [name, text(name)]));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.machine[Symbol.asyncDispose]();
  }

  get #timesFile(): string {
    return join(this.machine.home, 'hook-times.jsonl');
  }

  async #run(
    folder: string,
    words: readonly string[],
    more: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    const child = spawn(this.#bin, words, {
      cwd: folder,
      env: {
        ...this.machine.environment,
        ...this.#program.environment(this.#model),
        NODE_OPTIONS: `--import=${timer}`,
        AGENTKEEP_HOOK_TIMES: this.#timesFile,
        ...more,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, so that what it started ends with it.
      detached: true,
    });
    const tooLong = setTimeout(() => child.pid && process.kill(-child.pid, 'SIGKILL'), RUN_MS_MAX);
    const ended = new Promise<number | null>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', resolve);
    });
    const [out, error, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    clearTimeout(tooLong);
    if (status === 0) return out + error;
    throw new Error(`${this.#program.bin} ended with ${status}: ${(error + out).slice(-500)}`);
  }
}
