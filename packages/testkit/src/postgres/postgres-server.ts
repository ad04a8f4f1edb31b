/**
 * A PostgreSQL server for tests, in a temporary directory and on a free loopback port.
 */
import { join } from 'node:path';
import { answers } from './answers.js';
import { freePort } from '../process/free-port.js';
import { OwnProcess } from './own-process.js';

/** A server that a test may kill and start again. */
export class PostgresServer {
  readonly port: number;
  readonly #bin: string;
  readonly #process: OwnProcess;
  readonly #settings: Settings;
  readonly #superuser: string;

  private constructor(parts: ServerParts) {
    this.#bin = parts.bin;
    this.#process = parts.process;
    this.#settings = parts.settings;
    this.#superuser = parts.superuser;
    this.port = parts.port;
  }

  /** Creates and starts a cluster. The settings override those of all tests. */
  static async start(
    bin: string,
    settings: Settings = {},
    superuser = 'agentkeep',
  ): Promise<PostgresServer> {
    const process = await OwnProcess.in('agentkeep-postgres-', 'INT');
    const port = await freePort();
    const server = new PostgresServer({ bin, process, port, settings, superuser });
    server.#initialize();
    await server.up();
    return server;
  }

  /** Starts a copy of a server that follows it and answers reads. Restarts the server. */
  static async standbyOf(primary: PostgresServer): Promise<PostgresServer> {
    const process = await OwnProcess.in('agentkeep-standby-', 'INT');
    const parts = { bin: primary.#bin, settings: primary.#settings, superuser: primary.#superuser };
    const server = new PostgresServer({ ...parts, process, port: await freePort() });
    await primary.kill();
    const from = `host=127.0.0.1 port=${String(primary.port)} user=${primary.#superuser}`;
    const script = `cp -a "$1" "$2" && rm -f "$2/postmaster.pid" && touch "$2/standby.signal"
      echo "primary_conninfo = '${from}'" >> "$2/postgresql.auto.conf"`;
    process.prepare('sh', ['-c', script, 'sh', primary.#data, server.#data]);
    await primary.up();
    await server.up();
    return server;
  }

  /** URL of its database. */
  get url(): string {
    return `postgres://${this.#superuser}@127.0.0.1:${String(this.port)}/postgres`;
  }

  /** Starts it and waits until it answers. */
  up(): Promise<void> {
    const settings = {
      listen_addresses: '127.0.0.1',
      port: String(this.port),
      unix_socket_directories: '',
      // Tests kill processes, not machines, so the cache of the operating system survives.
      fsync: 'off',
      shared_buffers: '64MB',
      max_wal_size: '256MB',
      ...this.#settings,
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const words = ['-D', this.#data, ...flags];
    return this.#process.start(join(this.#bin, 'postgres'), words, () => answers(this.url));
  }

  /** Kills it, like a crash. */
  kill(): Promise<void> {
    return this.#process.kill();
  }

  /** Shuts it down and removes its directory. */
  stop(): Promise<void> {
    return this.#process.stop();
  }

  get #data(): string {
    return join(this.#process.directory, 'data');
  }

  #initialize(): void {
    const flags = ['-D', this.#data, '-U', this.#superuser, '-A', 'trust', '-E', 'UTF8', '-N'];
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
  readonly superuser: string;
}
