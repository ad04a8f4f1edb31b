/**
 * A server that is killed and restarted repeatedly.
 */
import { ServerProcess } from '@agentkeep/testkit/server-process';

/** One directory with the process that serves it. */
export class RestartedServer implements AsyncDisposable {
  readonly #dataDir: string;
  #server: ServerProcess;
  #url: Promise<string>;
  /** Number of kills. */
  kills = 0;

  /** Starts the first process. */
  constructor(dataDir: string) {
    this.#dataDir = dataDir;
    this.#server = new ServerProcess(dataDir);
    this.#url = this.#server.listens();
  }

  /** The address of the current process, or of the next one once it listens. */
  get url(): Promise<string> {
    return this.#url;
  }

  /** Kills the process. Resolves once the next one listens. */
  async killAndRestart(): Promise<void> {
    await this.#url;
    const killed = this.#server.kill();
    this.#url = killed.then((signal) => {
      if (signal !== 'SIGKILL') throw new Error('The server ended by itself.');
      this.#server = new ServerProcess(this.#dataDir);
      return this.#server.listens();
    });
    this.kills += 1;
    await this.#url;
  }

  /** Kills the process without a restart. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#url.catch(() => undefined);
    await this.#server.kill();
  }
}
