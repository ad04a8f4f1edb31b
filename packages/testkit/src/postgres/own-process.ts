/**
 * A program that tests start in a temporary directory. It runs as the current user or, for root, as
 * an unprivileged user, and ends with the tests even if they are killed.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Far beyond what it takes, so that a busy machine fails nothing. */
const START_MS = 240_000;
const SAID_MAX = 2_000;

/**
 * A shell script that waits for the end of its input. Then it signals process `$1` with `$2`, waits
 * for its end, and removes directory `$3`.
 */
const CLEANUP_SCRIPT =
  'read -r _; kill -s "$2" "$1"; while kill -0 "$1"; do sleep 0.1; done; rm -rf "$3"';

/** A program with its directory. It runs at most once at a time, and can be started again. */
export class OwnProcess {
  readonly directory: string;
  readonly #stopSignal: StopSignal;
  #process: ChildProcess | undefined;
  #cleanup: ChildProcess | undefined;
  /** The end of what the program wrote about itself. */
  #said = '';

  private constructor(directory: string, stopSignal: StopSignal) {
    this.directory = directory;
    this.#stopSignal = stopSignal;
  }

  /** Creates the directory. The signal is the one for an orderly shutdown. */
  static async in(prefix: string, stopSignal: StopSignal): Promise<OwnProcess> {
    const directory = await mkdtemp(join(tmpdir(), prefix));
    if (OWNER !== undefined) await chown(directory, OWNER.uid, OWNER.gid);
    await chmod(directory, 0o700);
    return new OwnProcess(directory, stopSignal);
  }

  /** Runs another program as the same user, and waits for its end. */
  prepare(program: string, words: readonly string[]): void {
    const { status, stderr } = spawnSync(program, words, { ...OWNER, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${program} failed: ${stderr}`);
  }

  /**
   * Starts the program and waits until it answers. A program that ends before is started again: one
   * that was killed may have left processes that still hold its port or its memory.
   */
  async start(
    program: string,
    words: readonly string[],
    answers: () => Promise<boolean>,
  ): Promise<void> {
    this.#run(program, words);
    const until = performance.now() + START_MS;
    while (!(await answers())) {
      if (performance.now() > until) throw new Error(`${program} did not start. ${this.#said}`);
      await pause(50);
      if (hasEnded(this.#process)) this.#run(program, words);
    }
  }

  /** Kills it, like a crash. */
  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  /** Shuts it down and removes its directory. */
  async stop(): Promise<void> {
    await this.#end(`SIG${this.#stopSignal}`);
    await rm(this.directory, { recursive: true, force: true });
  }

  #run(program: string, words: readonly string[]): void {
    this.#cleanup?.kill('SIGKILL');
    const running = spawn(program, words, { ...OWNER, stdio: ['ignore', 'ignore', 'pipe'] });
    running.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#said = (this.#said + text).slice(-SAID_MAX);
    });
    this.#process = running;
    this.#endWithTests();
  }

  /** Starts a process that ends the program if the test run is killed. */
  #endWithTests(): void {
    const facts = [String(this.#process?.pid), this.#stopSignal, this.directory];
    this.#cleanup = spawn('sh', ['-c', CLEANUP_SCRIPT, 'sh', ...facts], {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    });
  }

  #end(signal: NodeJS.Signals): Promise<void> {
    this.#cleanup?.kill('SIGKILL');
    const running = this.#process;
    this.#process = undefined;
    if (running === undefined || hasEnded(running)) return Promise.resolve();
    return new Promise((resolve) => {
      // Processes that it started have ended too once its output is closed.
      running.once('close', () => resolve());
      running.kill(signal);
    });
  }
}

function hasEnded(running: ChildProcess | undefined): boolean {
  return running !== undefined && (running.exitCode !== null || running.signalCode !== null);
}

type StopSignal = 'INT' | 'TERM';

/** These programs refuse to run as root, so root runs them as an unprivileged user. */
const OWNER = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;
