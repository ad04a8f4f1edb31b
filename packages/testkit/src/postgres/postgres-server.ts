/**
 * A PostgreSQL server of its own for tests: in a temporary directory, on a free port of loopback.
 */
import { join } from 'node:path';
import { answers } from './answers.js';
import { freePort, OwnProcess } from './own-process.js';

/** A server that a test may kill and start again. */
export class PostgresServer {
  readonly port: number;
  readonly #bin: string;
  readonly #process: OwnProcess;
  readonly #settings: Settings;

  private constructor(parts: ServerParts) {
    this.#bin = parts.bin;
    this.#process = parts.process;
    this.#settings = parts.settings;
    this.port = parts.port;
  }

  /** Makes a cluster and starts it, with settings beside those of every test or in their place. */
  static async start(bin: string, settings: Settings = {}): Promise<PostgresServer> {
    const process = await OwnProcess.in('agentkeep-postgres-', 'INT');
    const server = new PostgresServer({ bin, process, port: await freePort(), settings });
    server.#initialise();
    await server.up();
    return server;
  }

  /** Where its database is. */
  get url(): string {
    return `postgres://agentkeep@127.0.0.1:${String(this.port)}/postgres`;
  }

  /** Starts it, and waits until it answers. */
  up(): Promise<void> {
    const settings = {
      listen_addresses: '127.0.0.1',
      port: String(this.port),
      unix_socket_directories: '',
      // Tests end processes and not machines, so what the system was given to write is not lost.
      fsync: 'off',
      shared_buffers: '64MB',
      max_wal_size: '256MB',
      ...this.#settings,
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const words = ['-D', this.#data, ...flags];
    return this.#process.start(join(this.#bin, 'postgres'), words, () => answers(this.url));
  }

  /** Ends it at once, as a crash would. */
  kill(): Promise<void> {
    return this.#process.kill();
  }

  /** Ends it in order and removes its directory. */
  stop(): Promise<void> {
    return this.#process.stop();
  }

  get #data(): string {
    return join(this.#process.directory, 'data');
  }

  #initialise(): void {
    const flags = ['-D', this.#data, '-U', 'agentkeep', '-A', 'trust', '-E', 'UTF8', '-N'];
    this.#process.prepare(join(this.#bin, 'initdb'), [...flags, '--locale=C']);
  }
}

/** Settings of a server, by name. */
type Settings = Readonly<Record<string, string>>;

interface ServerParts {
  readonly bin: string;
  readonly process: OwnProcess;
  readonly port: number;
  readonly settings: Settings;
}
