/**
 * A program that tests start: in a temporary directory, run by whoever runs the tests or, for root,
 * by an unprivileged user, and ended with the tests however those end.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const START_MS = 60_000;

/**
 * Ends the process that is the first argument, by the signal that is the second one, and removes
 * the directory that is the third, once whoever holds the other end of its input is gone.
 */
const AFTERWARDS =
  'read -r _; kill -s "$2" "$1"; while kill -0 "$1"; do sleep 0.1; done; rm -rf "$3"';

/** A program with its directory. It runs once at a time, and may be started again. */
export class OwnProcess {
  readonly directory: string;
  readonly #stopSignal: StopSignal;
  #process: ChildProcess | undefined;
  #afterwards: ChildProcess | undefined;

  private constructor(directory: string, stopSignal: StopSignal) {
    this.directory = directory;
    this.#stopSignal = stopSignal;
  }

  /** Makes the directory. The signal is the one that the program ends in order by. */
  static async in(prefix: string, stopSignal: StopSignal): Promise<OwnProcess> {
    const directory = await mkdtemp(join(tmpdir(), prefix));
    if (OWNER !== undefined) await chown(directory, OWNER.uid, OWNER.gid);
    await chmod(directory, 0o700);
    return new OwnProcess(directory, stopSignal);
  }

  /** Runs another program to its end, as the same user. */
  prepare(program: string, words: readonly string[]): void {
    const { status, stderr } = spawnSync(program, words, { ...OWNER, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${program} failed: ${stderr}`);
  }

  /** Starts the program, and waits until it answers. */
  async start(
    program: string,
    words: readonly string[],
    answers: () => Promise<boolean>,
  ): Promise<void> {
    this.#process = spawn(program, words, { ...OWNER, stdio: 'ignore' });
    this.#outliveNobody();
    const until = performance.now() + START_MS;
    while (!(await answers())) {
      if (performance.now() > until) throw new Error(`${program} did not start.`);
      await pause(50);
    }
  }

  /** Ends it at once, as a crash would. */
  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  /** Ends it in order and removes its directory. */
  async stop(): Promise<void> {
    await this.#end(`SIG${this.#stopSignal}`);
    await rm(this.directory, { recursive: true, force: true });
  }

  /** A run of tests that is killed cannot stop its programs, so somebody else does. */
  #outliveNobody(): void {
    const facts = [String(this.#process?.pid), this.#stopSignal, this.directory];
    this.#afterwards = spawn('sh', ['-c', AFTERWARDS, 'sh', ...facts], {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    });
  }

  #end(signal: NodeJS.Signals): Promise<void> {
    this.#afterwards?.kill('SIGKILL');
    const running = this.#process;
    this.#process = undefined;
    if (running === undefined || running.exitCode !== null) return Promise.resolve();
    return new Promise((resolve) => {
      running.once('exit', () => resolve());
      running.kill(signal);
    });
  }
}

type StopSignal = 'INT' | 'TERM';

/** Such programs refuse to run as root, so root runs them as somebody who owns nothing else. */
const OWNER = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;

/** A port of loopback that nobody listens on. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => {
        if (address === null || typeof address === 'string') reject(new Error('No port.'));
        else resolve(address.port);
      });
    });
  });
}
