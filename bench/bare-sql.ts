/**
 * The minimal SQL for memory commands and reads: one look-up of the rows they read, and one
 * statement that stores what they store.
 */
import pg from 'pg';
import { entriesOfCommands } from './command.js';
import { inFlight } from './measure.js';

/** Rows that a command or a read looks up: the credential and the record. */
const KEYS_READ = 2;

/** Makes the table for bare SQL. */
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

  /** `name` separates its keys from those of other instances. */
  constructor(url: string, connections: number, name: string) {
    this.#pool = new pg.Pool({ connectionString: url, max: connections });
    this.#name = name;
  }

  /** Prepares the statements of as many commands; the result sends them. */
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

  /** Looks up the most recently stored rows. */
  reads(callers: number, total: number): () => Promise<void> {
    const newest = this.#stored.slice(-KEYS_READ * total);
    return () =>
      inFlight(callers, total, async (index) => {
        const at = (KEYS_READ * index) % newest.length;
        await this.#pool.query(lookUp(newest.slice(at, at + KEYS_READ)));
      });
  }
}

/** Looks up two rows, or one of them twice. */
function lookUp([first, second = first]: readonly Buffer[]): pg.QueryConfig {
  return {
    name: 'bare-read',
    text: 'SELECT key, value FROM bare WHERE key IN ($1, $2)',
    values: [first, second],
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
