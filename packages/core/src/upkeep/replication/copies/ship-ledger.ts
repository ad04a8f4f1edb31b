/**
 * The ledger of erasures in a replication target, one object for each state of it, named by its
 * digest. A restore adds them all, so no writer can take an erasure back: only a state of which
 * another one has everything is removed.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256Text } from '../../../contract/digest.js';
import { codeOf } from '../../../storage/lmdb-store/failure.js';
import { FILE_MODE } from '../../../storage/lmdb-store/private-files.js';
import { storeError } from '../../../storage/store/store-error.js';
import { copyLedger, LEDGER_FILE, ledgerCovers } from '../../snapshot/erasure-ledger.js';
import { LISTED_NAMES_MAX, type ReplicaTarget } from '../targets/replica-target.js';

/**
 * Adds the ledger of a data directory to a target, if it has one, and removes the states that it
 * covers.
 * @throws {AgentkeepError} `replica_unavailable`
 */
export async function shipLedger(target: ReplicaTarget, dataDir: string): Promise<void> {
  const text = await readFile(join(dataDir, LEDGER_FILE)).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error;
  });
  if (text === undefined) return;
  const own = nameOf(text);
  await target.create(own, text);
  for (const name of await ledgerNames(target)) {
    if (name === own) continue;
    const other = await target.read(name);
    if (other === undefined || nameOf(other) !== name) continue;
    if (ledgerCovers(text.toString('utf8'), textIn(other))) await target.remove(name);
  }
}

function nameOf(text: Uint8Array): string {
  return `ledger/${sha256Text(text, 'hex')}`;
}

function textIn(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8');
}

/**
 * Adds every ledger of a target to that of a directory, but those that were added before; the call
 * adds to these.
 * @throws {AgentkeepError} `replica_damaged`; `replica_unavailable`.
 */
export async function fetchLedgers(
  target: ReplicaTarget,
  dataDir: string,
  added = new Set<string>(),
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'agentkeep-ledger-'));
  try {
    for (const name of await ledgerNames(target)) {
      if (added.has(name)) continue;
      const text = await target.read(name);
      if (text === undefined || nameOf(text) !== name) {
        const detail = `The object ${name} of the replication target is not what was written.`;
        throw storeError('replica_damaged', detail);
      }
      await writeFile(join(folder, LEDGER_FILE), text, { mode: FILE_MODE });
      await copyLedger(folder, dataDir);
      added.add(name);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function ledgerNames(target: ReplicaTarget): Promise<string[]> {
  const found: string[] = [];
  for (;;) {
    const names = await target.list('ledger/', found.at(-1));
    found.push(...names);
    if (names.length < LISTED_NAMES_MAX) return found;
  }
}
