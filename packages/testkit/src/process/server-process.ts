/**
 * An `agentkeep serve` process over a directory, which tests kill and start again.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { endOf, type Ended, kept, startCommand, type Variables } from './agentkeep-process.js';

export { bootstrapTenant } from './agentkeep-process.js';

const LISTENING = /"listening","url":"([^"]+)"/;

/** Options of a server process. */
export interface ServerOptions {
  /** More arguments of the command line. */
  readonly words?: readonly string[];
  readonly variables?: Variables;
  /** The program of another version. Default: that of the workspace. */
  readonly program?: string | undefined;
}

/** A process that serves a directory. */
export class ServerProcess {
  readonly #child: ChildProcess;
  /** Resolves with its output once it is gone. */
  readonly ended: Promise<Ended>;
  #said = '';

  /** Starts the process. Wait until it {@link listens}. */
  constructor(dataDir: string, { words = [], variables, program }: ServerOptions = {}) {
    const port = words.includes('--port') ? [] : ['--port', '0'];
    const all = ['serve', ...port, '--data-dir', dataDir, ...words];
    this.#child = startCommand(all, variables, program);
    this.#child.stdout!.on('data', (chunk: Buffer) => (this.#said = kept(this.#said, chunk)));
    this.ended = endOf(this.#child);
  }

  /** The id of the process. */
  get pid(): number {
    return this.#child.pid!;
  }

  /** Resolves with its URL once it listens. */
  listens(): Promise<string> {
    return this.logged(LISTENING);
  }

  /** Resolves with the first group of a pattern once the log matches it. */
  async logged(pattern: RegExp): Promise<string> {
    for (;;) {
      const [, found] = pattern.exec(this.#said) ?? [];
      if (found !== undefined) return found;
      const more = once(this.#child.stdout!, 'data').then(() => undefined);
      const ended = await Promise.race([more, this.ended]);
      if (ended !== undefined) throw new Error(`It ended before it listened: ${ended.error}`);
    }
  }

  /** Whether it is gone. */
  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Kills it; resolves with the signal that ended it. */
  async kill(): Promise<NodeJS.Signals | null> {
    this.#child.kill('SIGKILL');
    return (await this.ended).signal;
  }

  /** Asks it to stop; resolves with its exit status. */
  async stop(): Promise<number | null> {
    this.#child.kill('SIGTERM');
    return (await this.ended).status;
  }
}
