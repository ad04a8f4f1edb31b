/**
 * A state of the database that stays as it is: a transaction on a connection of its own.
 */
import { type Entry, type HeldState, type KeyRange, storeError } from '@agentkeep/core/store';
import type { Database, Row, Session } from '../database/database.js';
import { storeFailure } from '../database/failure.js';
import { control, type Statements } from '../database/statements.js';
import type { Settings } from '../settings/settings.js';

/** Rows of a span without a limit. */
const UNLIMITED = '9223372036854775807';

/** Begins a transaction that sees one state until it is closed, or until its connection breaks. */
export async function holdState(
  database: Database,
  settings: Settings,
  statements: Statements,
): Promise<HeldState & { readonly ended: Promise<void> }> {
  const limits = [
    `${String(settings.lockTimeoutMs)}ms`,
    `${String(settings.statementTimeoutMs)}ms`,
  ];
  let session: Session | undefined;
  let endHolding: (() => void) | undefined;
  const holding = new Promise<void>((resolve) => (endHolding = resolve));
  let ended = Promise.resolve();
  await new Promise<void>((resolve, reject) => {
    const hold = async (lent: Session): Promise<void> => {
      // The limit of a statement applies to each page, but not to the reader of the page.
      await lent.send(
        { statement: control.beginRead },
        { statement: control.limits, values: limits },
        { statement: control.noIdleLimit },
        // The first statement that reads decides which state is seen.
        { statement: statements.horizon },
      );
      session = lent;
      resolve();
      await holding;
      session = undefined;
      await lent.send({ statement: control.commit });
    };
    ended = database.use(hold).catch((error: unknown) => {
      session = undefined;
      reject(storeFailure(error));
    });
  });
  const entries = async ({ from, to, limit, reverse }: KeyRange): Promise<Entry[]> => {
    if (session === undefined) throw storeError('store_closed', 'The held state is closed.');
    const statement = reverse === true ? statements.spanDown : statements.span;
    const rows = limit === undefined ? UNLIMITED : String(limit);
    const values = [Buffer.from(from), Buffer.from(to), rows];
    try {
      const [answer] = await session.send({ statement, values });
      return (answer?.rows ?? []).map(entryOf);
    } catch (error) {
      throw storeFailure(error);
    }
  };
  const close = async (): Promise<void> => {
    endHolding?.();
    await ended;
  };
  return { entries, close, ended };
}

function entryOf([key, value]: Row): Entry {
  if (!Buffer.isBuffer(key) || !Buffer.isBuffer(value)) {
    throw new TypeError('The database returned a value that is not a bytea.');
  }
  return { key, value };
}
