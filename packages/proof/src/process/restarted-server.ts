/**
 * A server that is killed again and again, and started again each time.
 * @module
 */
import { ServerProcess } from '@agentkeep/testkit/server-process';

/** One directory and whichever process serves it. */
export class RestartedServer implements AsyncDisposable {
  readonly #dataDir: string;
  #server: ServerProcess;
  #url: Promise<string>;
  /** How often it was killed. */
  kills = 0;

  /** Starts the first process. */
  constructor(dataDir: string) {
    this.#dataDir = dataDir;
    this.#server = new ServerProcess(dataDir);
    this.#url = this.#server.listens();
  }

  /** The address of the process that serves now, or of the next one, once it listens. */
  get url(): Promise<string> {
    return this.#url;
  }

  /** Kills the process under whatever it is doing; resolves once the next one listens. */
  async killAndRestart(): Promise<void> {
    await this.#url;
    const killed = this.#server.kill();
    this.#url = killed.then((signal) => {
      if (signal !== 'SIGKILL') throw new Error('The server had ended by itself.');
      this.#server = new ServerProcess(this.#dataDir);
      return this.#server.listens();
    });
    this.kills += 1;
    await this.#url;
  }

  /** Ends the process for good. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#url.catch(() => undefined);
    await this.#server.kill();
  }
}
