/**
 * The ledger of a data directory: the finished erasures of its store, in a file that no snapshot
 * contains. It names nothing that is erased. When an older state of the store is put back, it says
 * what has to be erased again.
 */
import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256Text } from '../../contract/digest.js';
import { ensureDirectory, syncDirectory } from '../../storage/lmdb-store/directory.js';
import { codeOf } from '../../storage/lmdb-store/failure.js';
import { FILE_MODE } from '../../storage/lmdb-store/private-files.js';
import { storeError } from '../../storage/store/store-error.js';
import type { StoredErasure } from '../stored/erasure-store.js';
import type { ErasuresInStore, Ledger } from '../erasure/ledger.js';
import { isAbout } from '../stored/target.js';

/** The name of the file in a data directory. */
export const LEDGER_FILE = 'erasures.jsonl';

/** Finished erasures, by id. */
export class ErasureLedger implements Ledger {
  readonly #dataDir: string;
  #entries = new Map<string, StoredErasure>();
  #adding: Promise<void> = Promise.resolve();
  /** What the file has; `undefined` if there is none. */
  #text: string | undefined;

  constructor(dataDir: string) {
    this.#dataDir = dataDir;
  }

  /**
   * Reads the file, if there is one.
   *
   * @throws {AgentkeepError} `storage_inconsistency` for a file that cannot be read.
   */
  async open(): Promise<void> {
    this.#text = await textOf(join(this.#dataDir, LEDGER_FILE));
    const read = entriesOf(this.#dataDir, this.#text);
    this.#entries = new Map(read.map((entry) => [entry.id, entry]));
  }

  /** The entries that count, those of tenants first. */
  get entries(): readonly StoredErasure[] {
    return withoutReplaced([...this.#entries.values()]);
  }

  /** Adds finished erasures. Resolves once the file is durable. */
  add(erasures: readonly StoredErasure[]): Promise<void> {
    return this.#afterOthers(async () => {
      const added = erasures.filter(({ id }) => !this.#entries.has(id));
      if (added.length === 0) return;
      const all = withoutReplaced([...this.#entries.values(), ...added]);
      await this.#write(all);
      // Also those that were replaced, so that they are not added again.
      for (const each of added) this.#entries.set(each.id, each);
    });
  }

  /** Puts the file back as it was written, if it was lost or changed since. */
  putBack(): Promise<void> {
    return this.#afterOthers(async () => {
      const text = await textOf(join(this.#dataDir, LEDGER_FILE));
      if (text !== this.#text) await this.#write(this.entries);
    });
  }

  /** The ids of all erasures that it has. */
  get ids(): ReadonlySet<string> {
    return new Set(this.#entries.keys());
  }

  /** Runs after what was begun before. */
  #afterOthers(run: () => Promise<void>): Promise<void> {
    this.#adding = this.#adding.catch(() => undefined).then(run);
    return this.#adding;
  }

  /** Replaces the file as a whole. */
  async #write(entries: readonly StoredErasure[]): Promise<void> {
    await ensureDirectory(this.#dataDir);
    const path = join(this.#dataDir, LEDGER_FILE);
    const text = linesOf(entries);
    const file = await open(`${path}.new`, 'w', FILE_MODE);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(`${path}.new`, path);
    await syncDirectory(this.#dataDir);
    this.#text = text;
  }
}

/** Whether the text of a ledger has all that another one says; not if one of them is damaged. */
export function ledgerCovers(text: string, other: string): boolean {
  try {
    const entries = erasuresIn(text);
    const ids = new Set(entries.map(({ id }) => id));
    const added = erasuresIn(other).filter(({ id }) => !ids.has(id));
    return linesOf(withoutReplaced([...entries, ...added])) === linesOf(entries);
  } catch {
    return false;
  }
}

/** Adds the entries of the ledger of one directory to that of another one. */
export async function copyLedger(from: string, to: string): Promise<void> {
  const ledger = new ErasureLedger(to);
  await ledger.open();
  await ledger.add(entriesOf(from, await textOf(join(from, LEDGER_FILE))));
}

/**
 * Adds to the ledger of a directory what a store has finished.
 *
 * @throws {AgentkeepError} `storage_inconsistency` if the ledger is damaged, or lacks an erasure of
 * an encrypted store.
 */
export async function completeLedgerOf(
  dataDir: string,
  { ids, erasures }: ErasuresInStore = { ids: [], erasures: [] },
): Promise<void> {
  const ledger = new ErasureLedger(dataDir);
  await ledger.open();
  await ledger.add(erasures);
  const lacking = ids.filter((id) => !ledger.ids.has(id));
  if (lacking.length === 0) return;
  const message =
    `The ledger of erasures ${join(dataDir, LEDGER_FILE)} lacks ${String(lacking.length)} of the ` +
    'erasures in the encrypted store beside it. Start the server with the keys once: it adds them. ' +
    'Then restore.';
  throw storeError('storage_inconsistency', message);
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function entriesOf(dataDir: string, text: string | undefined): StoredErasure[] {
  try {
    return erasuresIn(text ?? '');
  } catch (cause) {
    const path = join(dataDir, LEDGER_FILE);
    const message =
      `The ledger of erasures ${path} is damaged. Put back a copy of it. If the store is the newest ` +
      'state that there was, remove the file instead: it is made again from the store.';
    throw storeError('storage_inconsistency', message, cause);
  }
}

/** A line: an erasure as its JSON, with a digest over it and the line before. */
type LedgerLine = readonly [link: string, erasure: string];

/** The link before the first line. */
const FIRST_LINK = sha256Text('agentkeep ledger 2', 'hex');

const linkAfter = (link: string, erasure: string): string => sha256Text(link + erasure, 'hex');

function linesOf(entries: readonly StoredErasure[]): string {
  let link = FIRST_LINK;
  const lines = entries.map((each) => {
    const erasure = JSON.stringify(each);
    link = linkAfter(link, erasure);
    return `${JSON.stringify([link, erasure] satisfies LedgerLine)}\n`;
  });
  return lines.join('');
}

function erasuresIn(text: string): StoredErasure[] {
  let link = FIRST_LINK;
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => {
    const [stated, erasure] = JSON.parse(line) as LedgerLine;
    link = linkAfter(link, erasure);
    if (stated !== link) throw new Error('A line does not follow the one before.');
    return JSON.parse(erasure) as StoredErasure;
  });
}

/** Leaves out what was erased in a tenant before the tenant itself was. */
function withoutReplaced(entries: readonly StoredErasure[]): readonly StoredErasure[] {
  const tenants = entries.filter(({ kind }) => kind === 'tenant');
  const isReplaced = ({ tenantId, requestedAtMillis }: StoredErasure): boolean =>
    tenants.some(
      (tenant) =>
        tenant.requestedAtMillis >= requestedAtMillis &&
        isAbout(tenant, { kind: 'tenant', tenant_id: tenantId }),
    );
  const others = entries.filter((entry) => entry.kind !== 'tenant' && !isReplaced(entry));
  return [...tenants, ...others];
}
