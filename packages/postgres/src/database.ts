/**
 * Connections to the database: a bounded pool of them, each of which takes several statements
 * without waiting for answers in between.
 * @module
 */
import pg from 'pg';
import { UnreachableError } from './failure.js';
import type { Settings } from './settings.js';

/** A statement that is parsed once a connection. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** A value for a placeholder; buffers go out in binary. */
export type Parameter = Buffer | string;

/** A statement with its values. */
export interface Call {
  readonly statement: Statement;
  readonly values?: readonly Parameter[];
}

/** A row, by position: `bytea` as a buffer, `bigint` as digits. */
export type Row = readonly unknown[];

/** What a statement answers. */
export interface Answer {
  readonly command: string;
  readonly rows: readonly Row[];
}

/** One connection, for as long as it is lent. */
export interface Session {
  /** Sends all calls at once and answers in their order; throws the first error among them. */
  send(...calls: readonly Call[]): Promise<Answer[]>;
}

/** Extra time that the client gives a statement, so that the server's own limit comes first. */
const GRACE_MS = 2_000;
const IDLE_MS = 60_000;
const KEEP_ALIVE_MS = 10_000;

/** The connections of one store. */
export class Database {
  readonly #pool: pg.Pool;
  readonly #isPrepared: boolean;

  constructor(settings: Settings) {
    const { url, maxConnections, statementTimeoutMs, lockTimeoutMs, pooler } = settings;
    this.#isPrepared = settings.prepare;
    this.#pool = new pg.Pool({
      connectionString: url,
      application_name: 'agentkeep',
      max: maxConnections,
      connectionTimeoutMillis: settings.connectTimeoutMs,
      idleTimeoutMillis: IDLE_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      // A connection whose answer does not come is given up, and its outcome asked for elsewhere.
      query_timeout: statementTimeoutMs + GRACE_MS,
      pipeline: true,
      ...(pooler ? {} : { statement_timeout: statementTimeoutMs, lock_timeout: lockTimeoutMs }),
    });
    // An idle connection that breaks is replaced when it is next needed, and whoever uses one that
    // breaks hears of it from the statement that it sends.
    this.#pool.on('error', () => undefined);
    this.#pool.on('connect', (client) => client.on('error', () => undefined));
  }

  /** Runs one statement on any connection. */
  async run(statement: Statement, values: readonly Parameter[] = []): Promise<Answer> {
    const [answer] = await this.use((session) => session.send({ statement, values }));
    if (answer === undefined) throw new Error('A statement has an answer.');
    return answer;
  }

  /**
   * Lends a connection. One that is left inside a transaction is closed, which rolls it back.
   * @throws {UnreachableError} None was to be had.
   */
  async use<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const client = await this.#connect();
    try {
      return await work({ send: (...calls) => this.#send(client, calls) });
    } finally {
      client.release(client.getTransactionStatus() !== 'I');
    }
  }

  /** Closes all connections once they are given back. */
  close(): Promise<void> {
    return this.#pool.end();
  }

  async #connect(): Promise<pg.PoolClient> {
    try {
      return await this.#pool.connect();
    } catch (error) {
      throw new UnreachableError(error);
    }
  }

  async #send(client: pg.PoolClient, calls: readonly Call[]): Promise<Answer[]> {
    const outcomes = await Promise.allSettled(
      calls.map(({ statement: { name, text }, values = [] }) =>
        client.query({
          text,
          ...(this.#isPrepared ? { name } : {}),
          values: [...values],
          rowMode: 'array' as const,
        }),
      ),
    );
    return outcomes.map((outcome) => {
      if (outcome.status === 'rejected') throw outcome.reason;
      return outcome.value;
    });
  }
}
