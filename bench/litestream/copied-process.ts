/**
 * The process of one contender. Its arguments are a name, a directory, a target and a number of
 * records. It stores them when it is told to, and ends when it is told to.
 */
import { join } from 'node:path';
import { keepWithAgent, scope } from '../fixture.js';
import { openSqlite } from '../compare/sqlite.js';
import { recordOf, sampleAt, samples } from '../compare/sample.js';
import type { SampleRecord } from '../compare/contender.js';
import { inFlight } from '../measure.js';
import { DATABASE } from './litestream.js';

/** Ways to store records, alone or copied to a folder. */
export type CopiedName =
  | 'agentkeep_alone'
  | 'agentkeep_async'
  | 'agentkeep_acknowledged'
  | 'sqlite_alone'
  | 'sqlite_litestream';

/** How far behind Agentkeep may be, in milliseconds: the interval of Litestream. */
const LAG_MS = 1_000;

/** Callers of Agentkeep at once. SQLite stores as many records in one transaction. */
const CALLERS = 64;

interface Writer {
  write(records: number): Promise<void>;
  close(): Promise<void>;
}

const [name = '', directory = '', target = '', records = ''] = process.argv.slice(2);
const writer = name.startsWith('sqlite') ? await overSqlite() : await overKeep();

process.on('message', (order: 'write' | 'close') => {
  const done = order === 'write' ? writer.write(Number(records)) : writer.close();
  const startedMs = performance.now();
  void done.then(() => {
    process.send?.(performance.now() - startedMs);
    if (order === 'close') process.exit(0);
  });
});
process.send?.('ready');

async function overKeep(): Promise<Writer> {
  const mode = name === 'agentkeep_acknowledged' ? 'acknowledged' : 'async';
  const replicateTo = { target, mode, lagMs: LAG_MS } as const;
  const isAlone = name === 'agentkeep_alone';
  const { keep, agent } = await keepWithAgent({
    dataDir: directory,
    ...(isAlone ? {} : { replicateTo }),
  });
  while (!isAlone && keep.replication()?.copyMs === undefined) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const memory = agent.memory.in(scope);
  return {
    write: (count) =>
      inFlight(CALLERS, count, (index) => {
        const idempotencyKey = `turn-${String(index)}`;
        return memory.create(recordOf(sampleAt(index)), { idempotencyKey });
      }),
    close: () => keep.close(),
  };
}

async function overSqlite(): Promise<Writer> {
  const database = await openSqlite(join(directory, DATABASE));
  database.pragma('busy_timeout = 5000');
  // As Litestream advises where much is written.
  if (name === 'sqlite_litestream') database.pragma('wal_autocheckpoint = 0');
  database.exec(`
    CREATE TABLE memory (id INTEGER PRIMARY KEY, scope TEXT, text TEXT, tag TEXT, turn INTEGER);
    CREATE INDEX memory_tag ON memory (scope, tag);`);
  const insert = database.prepare(
    'INSERT INTO memory (scope, text, tag, turn) VALUES (?, ?, ?, ?)',
  );
  const storeAll = database.transaction((group: readonly SampleRecord[]) => {
    for (const { text, tag, turn } of group) insert.run('bench', text, tag, turn);
  });
  return {
    write: async (count) => {
      for (let from = 0; from < count; from += CALLERS) {
        storeAll(samples(from, Math.min(CALLERS, count - from)));
        // As between the requests of a server.
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    close: () => {
      database.close();
      return Promise.resolve();
    },
  };
}
