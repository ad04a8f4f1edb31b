/**
 * The least SQL that memory commands and reads come to: one look-up of what they read, and one
 * statement that stores what they store.
 * @module
 */
import pg from 'pg';
import { entriesOfCommands } from './command.js';
import { inFlight } from './measure.js';

/** Rows that a command or a read looks up: who asks, and what is asked for. */
const KEYS_READ = 2;

/** Makes the table of the bare SQL. */
export async function makeBareTable(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('CREATE TABLE bare (key bytea PRIMARY KEY, value bytea, revision bigint)');
  await client.end();
}

/** Bare SQL over a pool of connections. */
export class BareSql {
  readonly #pool: pg.Pool;
  readonly #name: string;
  readonly #stored: Buffer[] = [];
  #rounds = 0;

  /** The name keeps its keys apart from those of others. */
  constructor(url: string, connections: number, name: string) {
    this.#pool = new pg.Pool({ connectionString: url, max: connections });
    this.#name = name;
  }

  /** Makes ready what as many commands store; the result sends it. */
  async commands(callers: number, total: number): Promise<() => Promise<void>> {
    const tail = Buffer.from(`${this.#name} ${String(this.#rounds++)}`);
    const rowsOf = (await entriesOfCommands(total)).map((entries) =>
      entries.map(({ key, value }) => [Buffer.concat([key, tail]), value] as const),
    );
    return () =>
      inFlight(callers, total, async (index) => {
        const rows = rowsOf[index] ?? [];
        const keys = rows.map(([key]) => key);
        await this.#pool.query(lookUp(keys));
        await this.#pool.query(store(rows));
        this.#stored.push(...keys);
      });
  }

  /** Looks up rows that were stored last. */
  reads(callers: number, total: number): () => Promise<void> {
    const newest = this.#stored.slice(-KEYS_READ * total);
    return () =>
      inFlight(callers, total, async (index) => {
        const at = (KEYS_READ * index) % newest.length;
        await this.#pool.query(lookUp(newest.slice(at, at + KEYS_READ)));
      });
  }
}

function lookUp(keys: readonly Buffer[]): pg.QueryConfig {
  return {
    name: 'bare-read',
    text: 'SELECT key, value FROM bare WHERE key IN ($1, $2)',
    values: keys.slice(0, KEYS_READ),
  };
}

function store(rows: readonly (readonly [Buffer, Uint8Array])[]): pg.QueryConfig {
  const places = rows.map((_, at) => `($${String(2 * at + 1)}, $${String(2 * at + 2)}, 1)`);
  return {
    name: `bare-write-${String(rows.length)}`,
    text: `INSERT INTO bare (key, value, revision) VALUES ${places.join(', ')}
      ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    values: rows.flat(),
  };
}
