/**
 * Counts, visits and copies all entries of a store.
 */
import { writeStoreDirectory, type Entry, type StoreStats } from '@agentkeep/core/store';
import type { Row, Session } from '../database/database.js';
import { storeFailure } from '../database/failure.js';
import type { Parts } from '../locks/parts.js';
import { control } from '../database/statements.js';

/** Most entries that are counted exactly. */
const COUNTED_MAX = 10_000;

/** Entries of one page. */
const PAGE_ENTRIES = 512;

/** Returns the number of entries, exact up to 10,000 and the estimate of the database above. */
export async function storeStats({ database, statements }: Parts): Promise<StoreStats> {
  try {
    const { rows } = await database.run(statements.count, [String(COUNTED_MAX + 1)]);
    const [counted = 0, estimated = 0, sizeBytes = 0] = (rows[0] ?? []).map(Number);
    const entries = counted > COUNTED_MAX ? Math.max(counted, estimated) : counted;
    return { entries, sizeBytes, mapSizeBytes: sizeBytes };
  } catch (error) {
    throw storeFailure(error);
  }
}

/** Visits every entry in key order, page by page. */
export async function visitAll(
  { database, statements }: Parts,
  visit: (entry: Entry) => void,
): Promise<void> {
  const pages = pagesOf(async (after) => {
    const { rows } = await database.run(statements.page, [after, String(PAGE_ENTRIES)]);
    return rows;
  });
  for await (const entries of pages) entries.forEach(visit);
}

/**
 * Writes a snapshot into a directory, as a store on disk.
 * @throws {AgentkeepError} `store_incompatible` if the directory is not empty.
 */
export async function writeBackup(
  { database, settings, statements }: Parts,
  directory: string,
): Promise<void> {
  const limits = [
    `${String(settings.lockTimeoutMs)}ms`,
    `${String(settings.statementTimeoutMs)}ms`,
  ];
  // The limit of a statement applies to each page, but not to writing the page to disk.
  const begin = [
    { statement: control.beginRead },
    { statement: control.limits, values: limits },
    { statement: control.noIdleLimit },
  ];
  const copy = async (session: Session): Promise<void> => {
    await session.send(...begin);
    const pages = pagesOf(async (after) => {
      const values = [after, String(PAGE_ENTRIES)];
      const [answer] = await session.send({ statement: statements.page, values });
      return answer?.rows ?? [];
    });
    await writeStoreDirectory(directory, pages);
    await session.send({ statement: control.commit });
  };
  try {
    await database.use(copy);
  } catch (error) {
    throw storeFailure(error);
  }
}

/** Yields all pages in order. Throws database errors as errors of the catalogue. */
async function* pagesOf(
  readPage: (after: Buffer) => Promise<readonly Row[]>,
): AsyncGenerator<Entry[]> {
  let after: Buffer | undefined = Buffer.alloc(0);
  while (after !== undefined) {
    const rows: readonly Row[] = await readPage(after).catch((error: unknown) => {
      throw storeFailure(error);
    });
    const entries = rows.map(([key, value]) => ({ key: bytes(key), value: bytes(value) }));
    const last: Buffer | undefined = entries.at(-1)?.key;
    // Copied, because the visitor may consume the entry.
    after = rows.length < PAGE_ENTRIES || last === undefined ? undefined : Buffer.from(last);
    yield entries;
  }
}

function bytes(value: unknown): Buffer {
  if (Buffer.isBuffer(value)) return value;
  throw new TypeError('The database returned a value that is not a bytea.');
}
