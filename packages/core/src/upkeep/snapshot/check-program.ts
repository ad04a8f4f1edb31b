/**
 * What the program does that checks a store. It runs as a separate process, because a damaged data
 * file can crash the process that maps it.
 */
import { LEVELS } from '../../contract/levels.js';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { sealingState } from '../../storage/sealing/tenant-marks.js';
import type { Families } from '../../storage/families/families.js';
import { storeError } from '../../storage/store/store-error.js';
import { type FoundStore, openFoundStore } from '../../storage/lmdb-store/found-store.js';
import { requireLevel } from '../../kernel/installation/level-store.js';
import { verifyAudit } from '../../kernel/audit-log/verification/verify-audit.js';
import { finishedErasures, finishedIds } from '../erasure/complete-ledger.js';
import type { CheckMessage, CheckReport, CheckTask } from './check-messages.js';
import { type ContentReport, ContentTally } from './content-tally.js';
import type { ErasuresInStore } from '../erasure/ledger.js';
import type { OnProgress } from './progress.js';
import { digestFiles } from './snapshot-files.js';

/** Entries between two reports of progress. */
const PROGRESS_ENTRIES = 8_192;
const CAUSES_MAX = 5;

function sendMessage(message: CheckMessage): Promise<void> {
  return new Promise((resolve) => {
    if (process.send === undefined) resolve();
    else process.send(message, () => resolve());
  });
}

const onProgress: OnProgress = (progress) => {
  void sendMessage({ type: 'progress', progress });
};

async function check(
  { directory, files, verifiesAudit }: CheckTask,
  families: Families,
): Promise<CheckReport> {
  const digests = await digestFiles(directory, files, onProgress);
  const store = await openFoundStore(directory);
  try {
    // A later version may have stored what this one would take for damage.
    await store.read((tx) => requireLevel(tx, LEVELS));
    const content = await readContent(store, families);
    // Events of an encrypted store are sealed, and this process has no keys.
    const isSealed = (await store.read(sealingState)) !== undefined;
    if (verifiesAudit && !isSealed) await checkAudit(store);
    return { files: digests, content };
  } finally {
    // Closing a damaged store may fail too. That adds no information.
    await store.putBackLock().catch(() => undefined);
    await store.close().catch(() => undefined);
  }
}

async function readContent(store: FoundStore, families: Families): Promise<ContentReport> {
  const tally = new ContentTally(families);
  const { entries: total } = await store.stats();
  let done = 0;
  try {
    await store.scan((entry) => {
      tally.add(entry);
      done += 1;
      if (done % PROGRESS_ENTRIES === 0) onProgress({ phase: 'read', done, total });
    });
  } catch (error) {
    // The store is open and has no writer, so the fault is in the file.
    throw storeError('storage_inconsistency', 'Reading stopped at a damaged page.', error);
  }
  if (done !== total) {
    const detail = `Found ${done} entries, but the data file counts ${total}.`;
    throw storeError('storage_inconsistency', detail);
  }
  return tally.report();
}

async function checkAudit(store: FoundStore): Promise<void> {
  const { broken_at: brokenAt } = await verifyAudit(store);
  if (brokenAt === null) return;
  const detail = `The audit log does not verify at event ${brokenAt}.`;
  throw storeError('storage_inconsistency', detail);
}

/**
 * The finished erasures of a store. Those of an encrypted one can't be read without its keys, and
 * a damaged one may have none that can be.
 */
async function finishedIn(store: FoundStore): Promise<ErasuresInStore> {
  try {
    const isSealed = (await store.read(sealingState)) !== undefined;
    if (isSealed) return { ids: await finishedIds(store), erasures: [] };
    return { ids: [], erasures: await finishedErasures(store) };
  } catch {
    return { ids: [], erasures: [] };
  }
}

async function hold({ directory }: CheckTask): Promise<void> {
  const store = await openFoundStore(directory);
  const released = new Promise((resolve) => process.once('message', resolve));
  await sendMessage({ type: 'open', finished: await finishedIn(store) });
  await released;
  await store.close();
}

async function list({ directory }: CheckTask): Promise<void> {
  const store = await openFoundStore(directory);
  await sendMessage({ type: 'open', finished: await finishedIn(store) });
  await store.putBackLock().catch(() => undefined);
  await store.close();
}

function detailOf(error: unknown): string {
  const details: string[] = [];
  let cause = error instanceof AgentkeepError ? error.cause : error;
  while (cause instanceof Error && details.length < CAUSES_MAX) {
    // The message of the catalogue is meant for callers of operations.
    if (!(cause instanceof AgentkeepError)) details.push(cause.message);
    cause = cause.cause;
  }
  return details.join(' ');
}

async function run(task: CheckTask, families: Families): Promise<void> {
  try {
    if (task.kind === 'hold') await hold(task);
    else if (task.kind === 'list') await list(task);
    else await sendMessage({ type: 'report', report: await check(task, families) });
  } catch (error) {
    const code = error instanceof AgentkeepError ? error.code : 'internal_error';
    await sendMessage({ type: 'failed', code, detail: detailOf(error) });
  }
}

/** Runs the task that the parent process gives, and ends this process. */
export async function runCheckProgram(families: Families): Promise<never> {
  // The parent process has ended.
  process.once('disconnect', () => process.exit(1));
  await run(JSON.parse(process.argv[2] ?? '{}') as CheckTask, families);
  process.exit(0);
}
