/**
 * Opens directories in a separate process and reports what is wrong with them. Ending that process
 * is a fault too.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { CheckResult, CheckTask } from './check-messages.js';

const program = fileURLToPath(new URL('./check-program.ts', import.meta.url));
const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

/** A process that checks directories in sequence. It is restarted if a directory ends it. */
export class KeepChecker implements Disposable {
  #child: ChildProcess | undefined;

  /** Opens a directory as a keep and compares it with the acknowledged work. */
  check(task: CheckTask): Promise<CheckResult> {
    const child = (this.#child ??= start());
    return new Promise((resolve) => {
      let said = '';
      const hear = (chunk: Buffer): void => {
        said += chunk.toString();
      };
      const settle = (result: CheckResult): void => {
        child.removeAllListeners('message').removeAllListeners('close');
        child.stderr!.removeListener('data', hear);
        resolve(result);
      };
      child.stderr!.on('data', hear);
      child.once('message', (result: CheckResult) => settle(result));
      child.once('close', (status, signal) => {
        this.#child = undefined;
        const violation = `Opening it ended the process (${signal ?? status}). ${said.trim()}`;
        settle({ type: 'opened', violations: [violation] });
      });
      child.send(task);
    });
  }

  /** Ends the process. */
  [Symbol.dispose](): void {
    this.#child?.disconnect();
    this.#child = undefined;
  }
}

function start(): ChildProcess {
  const env = { PATH: process.env['PATH'] ?? '' };
  const execArgv = ['--import', loader];
  return fork(program, { env, execArgv, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
}
