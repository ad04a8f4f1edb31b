/**
 * PgBouncer in transaction mode for tests: in a temporary directory, on a free port of the loopback
 * address, with few connections to the database, which its clients share.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { answers } from './answers.js';
import { findPgBouncer } from './find-pg-bouncer.js';
import { freePort } from '../process/free-port.js';
import { OwnProcess } from './own-process.js';

/** Connections to a database: fewer than the clients that a test opens. */
export const POOL_SIZE = 3;

/** A pooler that a test may kill and start again. */
export class PgBouncer implements AsyncDisposable {
  /** URL of the database through the pooler. */
  readonly url: string;
  readonly #process: OwnProcess;

  private constructor(process: OwnProcess, url: string) {
    this.#process = process;
    this.url = url;
  }

  /** Starts a pooler for a database, with additional settings. */
  static async before(target: string, settings: Settings = {}): Promise<PgBouncer> {
    const process = await OwnProcess.in('agentkeep-pgbouncer-', 'TERM');
    const port = await freePort();
    const url = new URL(target);
    url.host = `127.0.0.1:${String(port)}`;
    const pooler = new PgBouncer(process, url.href);
    await writeFile(
      pooler.#file,
      configuration(target, { listen_port: String(port), ...settings }),
    );
    await pooler.up();
    return pooler;
  }

  /** Starts it and waits until it answers. */
  up(): Promise<void> {
    const program = findPgBouncer();
    if (program === undefined) throw new Error('PgBouncer is not installed.');
    return this.#process.start(program, ['-q', this.#file], () => answers(this.url));
  }

  /** Kills it, like a crash. */
  kill(): Promise<void> {
    return this.#process.kill();
  }

  /** Ends it in order and removes its directory. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#process.stop();
  }

  get #file(): string {
    return join(this.#process.directory, 'pgbouncer.ini');
  }
}

/** Settings of a pooler, by name. */
type Settings = Readonly<Record<string, string>>;

function configuration(target: string, own: Settings): string {
  const { hostname, port, username, password } = new URL(target);
  const database = linesOf({
    host: hostname,
    port: port === '' ? '5432' : port,
    user: decodeURIComponent(username),
    ...(password === '' ? {} : { password: decodeURIComponent(password) }),
  });
  const settings = linesOf({
    pool_mode: 'transaction',
    default_pool_size: String(POOL_SIZE),
    // The connection that was idle longest is used next, so that clients keep changing theirs.
    server_round_robin: '1',
    listen_addr: '127.0.0.1',
    unix_socket_dir: '',
    auth_type: 'any',
    ...own,
  });
  return `[databases]\n* = ${database.join(' ')}\n[pgbouncer]\n${settings.join('\n')}\n`;
}

function linesOf(values: Settings): string[] {
  return Object.entries(values).map(([name, value]) => `${name}=${value}`);
}
