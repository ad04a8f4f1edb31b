/**
 * A bounded pool of connections to the database. Each connection pipelines its statements.
 */
import pg from 'pg';
import { isOfCopy, UnreachableError } from './failure.js';
import type { Settings } from '../settings/settings.js';

/** A statement that is parsed once per connection. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** A value for a placeholder. Buffers are sent in binary. */
export type Parameter = Buffer | string;

/** A statement with its values. */
export interface Call {
  readonly statement: Statement;
  readonly values?: readonly Parameter[];
}

/** A row by position, with `bytea` as a buffer and `bigint` as digits. */
export type Row = readonly unknown[];

/** The result of a statement. */
export interface Answer {
  readonly command: string;
  readonly rows: readonly Row[];
}

/** One borrowed connection. */
export interface Session {
  /** Sends all calls at once. Returns their answers in order, or throws the first error. */
  send(...calls: readonly Call[]): Promise<Answer[]>;
  /** Sends the last calls without waiting for answers. The connection is returned after them. */
  sendLast(...calls: readonly Call[]): void;
}

/** Extra time for a statement on the client, so that the server's own limit applies first. */
const GRACE_MS = 2_000;
const IDLE_MS = 60_000;
const KEEP_ALIVE_MS = 10_000;

/**
 * Settings of each connection. Every statement looks keys up, or walks along them: one plan by the
 * index is the best for all values, so it is made once, and also while the table is small. Where
 * there is no index, the planner takes the cost for so great that it would compile the plan, which
 * takes longer than any statement here.
 */
const PLANS = [
  'SET plan_cache_mode = force_generic_plan',
  'SET enable_seqscan = off',
  'SET jit = off',
].join('; ');

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
      // A connection that does not answer is dropped; another one asks for the outcome.
      query_timeout: statementTimeoutMs + GRACE_MS,
      pipeline: true,
      ...(pooler ? {} : { statement_timeout: statementTimeoutMs, lock_timeout: lockTimeoutMs }),
    });
    // A broken idle connection is replaced when the next one is needed. A broken connection in use
    // fails the statement that it runs.
    this.#pool.on('error', () => undefined);
    this.#pool.on('connect', (client) => {
      client.on('error', () => undefined);
      // Sent before the first statement, which does not wait for it. A failure costs only speed.
      if (this.#isPrepared && !pooler) client.query(PLANS).catch(() => undefined);
    });
  }

  /** Runs one statement on any connection. */
  async run(statement: Statement, values: readonly Parameter[] = []): Promise<Answer> {
    const [answer] = await this.use((session) => session.send({ statement, values }));
    if (answer === undefined) throw new Error('The statement returned no answer.');
    return answer;
  }

  /**
   * Lends a connection. A connection left inside a transaction is closed, which rolls it back. One
   * to a copy of the database is closed too, since the next one may reach the primary.
   * @throws {UnreachableError} No connection could be opened in time.
   */
  async use<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const client = await this.#connect();
    let isMisled = false;
    const last: Promise<unknown>[] = [];
    try {
      return await work({
        send: (...calls) => this.#send(client, calls),
        sendLast: (...calls) => void last.push(this.#send(client, calls)),
      });
    } catch (error) {
      isMisled = isOfCopy(error);
      throw error;
    } finally {
      const giveBack = (): void =>
        client.release(isMisled || client.getTransactionStatus() !== 'I');
      if (last.length === 0) giveBack();
      else void Promise.allSettled(last).then(giveBack);
    }
  }

  /** Closes all connections once they are returned. */
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
