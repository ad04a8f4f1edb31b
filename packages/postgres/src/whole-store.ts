/**
 * What is done with all entries of a store: counting, visiting, copying.
 * @module
 */
import { writeStoreDirectory, type Entry, type StoreStats } from '@agentkeep/core/store';
import type { Row, Session } from './database.js';
import { storeFailure } from './failure.js';
import type { Parts } from './parts.js';
import { control } from './statements.js';

/** Entries that are counted one by one; of more than these there is an estimate. */
const COUNTED_MAX = 10_000;

/** Entries of one page. */
const PAGE_ENTRIES = 512;

/** How many entries there are, exactly up to 10,000 and as the database last estimated above. */
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
 * Writes a copy as of now into a directory, as a store on disk.
 * @throws {AgentkeepError} `store_incompatible` when there is something in the directory.
 */
export async function writeBackup(
  { database, settings, statements }: Parts,
  directory: string,
): Promise<void> {
  const limits = [
    `${String(settings.lockTimeoutMs)}ms`,
    `${String(settings.statementTimeoutMs)}ms`,
  ];
  // A page is waited for no longer than for a statement, but the disk may take its time in between.
  const begin = [
    { statement: control.beginRead },
    { statement: control.limits, values: limits },
    { statement: control.patience },
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

/** All pages, one after the other; failures of the database as errors of the catalogue. */
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
    // Copied before the visits, which may use up the loan.
    after = rows.length < PAGE_ENTRIES || last === undefined ? undefined : Buffer.from(last);
    yield entries;
  }
}

function bytes(value: unknown): Buffer {
  if (Buffer.isBuffer(value)) return value;
  throw new TypeError('The database answered with something that is no bytea.');
}
