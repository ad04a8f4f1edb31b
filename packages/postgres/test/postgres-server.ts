/**
 * A PostgreSQL server of its own for tests: in a temporary directory, on a free port of loopback,
 * run by whoever runs the tests or, for root, by an unprivileged user.
 * @module
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

const START_MS = 60_000;

/**
 * Ends the server whose process is the first argument, and removes the directory that is the second
 * one, once whoever holds the other end of its input is gone.
 */
const AFTERWARDS = 'read -r _; kill -INT "$1"; while kill -0 "$1"; do sleep 0.1; done; rm -rf "$2"';

/** A server that a test may kill and start again. */
export class PostgresServer {
  readonly port: number;
  readonly #bin: string;
  readonly #directory: string;
  readonly #owner: Owner;
  readonly #settings: Settings;
  #process: ChildProcess | undefined;
  #afterwards: ChildProcess | undefined;

  private constructor(parts: ServerParts) {
    this.#bin = parts.bin;
    this.#directory = parts.directory;
    this.#owner = parts.owner;
    this.#settings = parts.settings;
    this.port = parts.port;
  }

  /** Makes a cluster and starts it, with settings beside those of every test or in their place. */
  static async start(bin: string, settings: Settings = {}): Promise<PostgresServer> {
    const directory = await mkdtemp(join(tmpdir(), 'agentkeep-postgres-'));
    const owner = unprivileged();
    if (owner !== undefined) await chown(directory, owner.uid, owner.gid);
    await chmod(directory, 0o700);
    const port = await freePort();
    const server = new PostgresServer({ bin, directory, port, owner, settings });
    server.#initialise();
    await server.up();
    return server;
  }

  /** Where its database is. */
  get url(): string {
    return `postgres://agentkeep@127.0.0.1:${String(this.port)}/postgres`;
  }

  /** Starts it, and waits until it answers. */
  async up(): Promise<void> {
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
    this.#process = spawn(join(this.#bin, 'postgres'), ['-D', this.#data, ...flags], {
      ...this.#owner,
      stdio: 'ignore',
    });
    this.#outliveNobody();
    const until = performance.now() + START_MS;
    while (!(await this.#answers())) {
      if (performance.now() > until) throw new Error('PostgreSQL did not start.');
      await pause(50);
    }
  }

  /** Ends it at once, as a crash would. */
  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  /** Ends it in order and removes its directory. */
  async stop(): Promise<void> {
    await this.#end('SIGINT');
    await rm(this.#directory, { recursive: true, force: true });
  }

  get #data(): string {
    return join(this.#directory, 'data');
  }

  #initialise(): void {
    const flags = ['-D', this.#data, '-U', 'agentkeep', '-A', 'trust', '-E', 'UTF8', '-N'];
    const made = spawnSync(join(this.#bin, 'initdb'), [...flags, '--locale=C'], {
      ...this.#owner,
      encoding: 'utf8',
    });
    if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  }

  async #answers(): Promise<boolean> {
    const client = new pg.Client({ connectionString: this.url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query('SELECT 1');
      return true;
    } catch {
      return false;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  /** A run of tests that is killed cannot stop its server, so somebody else does. */
  #outliveNobody(): void {
    const words = ['-c', AFTERWARDS, 'sh', String(this.#process?.pid), this.#directory];
    this.#afterwards = spawn('sh', words, { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
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

/** Settings of a server, by name. */
type Settings = Readonly<Record<string, string>>;

interface ServerParts {
  readonly bin: string;
  readonly directory: string;
  readonly port: number;
  readonly owner: Owner;
  readonly settings: Settings;
}

type Owner = { uid: number; gid: number } | undefined;

/** PostgreSQL refuses to run as root, so root runs it as somebody who owns nothing else. */
function unprivileged(): Owner {
  return process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;
}

function freePort(): Promise<number> {
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
