/** Starts the program that checks a store and returns its result. */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { storeError } from '../../storage/store/store-error.js';
import type { CheckMessage, CheckReport, CheckTask } from './check-messages.js';
import type { OnProgress } from './progress.js';
import type { SnapshotFileName } from './snapshot-files.js';

const require = createRequire(import.meta.url);

/** The store to check. */
export interface CheckRequest {
  readonly directory: string;
  /** Files to digest before anything is opened. */
  readonly files?: readonly SnapshotFileName[];
  /** Whether to verify the audit chains too. Default: false. */
  readonly verifiesAudit?: boolean;
  readonly onProgress?: OnProgress | undefined;
}

/**
 * Reads every entry of a store in a separate process.
 * @throws {AgentkeepError} `storage_inconsistency` if anything doesn't verify or the process
 * crashed, `store_in_use` or `store_incompatible` if the store can't be opened.
 */
export async function checkStore(request: CheckRequest): Promise<CheckReport> {
  const { directory, files = [], verifiesAudit = false, onProgress } = request;
  const child = start({ kind: 'check', directory, files, verifiesAudit });
  const outcome = await outcomeOf(child, directory, onProgress);
  if (outcome.type === 'report') return outcome.report;
  throw unexpected(directory);
}

/** A store that no other process can open. */
export interface HeldStore {
  release(): Promise<void>;
}

/**
 * Keeps other processes from opening a store, by a separate process that holds it open.
 * @throws {AgentkeepError} as {@link checkStore}.
 */
export async function holdStore(directory: string): Promise<HeldStore> {
  const child = start({ kind: 'hold', directory, files: [], verifiesAudit: false });
  const outcome = await outcomeOf(child, directory, undefined);
  if (outcome.type !== 'held') throw unexpected(directory);
  return {
    release: () =>
      new Promise((resolve) => {
        child.once('close', () => resolve());
        if (child.connected) child.send('release');
        else resolve();
      }),
  };
}

function start(task: CheckTask): ChildProcess {
  // LMDB's own messages about damage don't help here.
  const stdio = ['ignore', 'ignore', 'ignore', 'ipc'] as const;
  return spawn(process.execPath, [program(), JSON.stringify(task)], { stdio: [...stdio] });
}

/** Returns the path of the program: beside this file in a bundle, else in the installed package. */
function program(): string {
  const folder = import.meta.url.endsWith('.ts') ? '../../../dist/' : './';
  const beside = fileURLToPath(new URL(`${folder}snapshot-check.js`, import.meta.url));
  return existsSync(beside) ? beside : installedProgram();
}

/** Returns the path of the program for an application that bundled the rest of the package. */
function installedProgram(): string {
  try {
    return require.resolve('@agentkeep/core/snapshot-check');
  } catch (cause) {
    const detail =
      'The program that reads stores is missing. Install @agentkeep/core beside the application.';
    throw storeError('internal_error', detail, cause);
  }
}

/** Waits for the first message that doesn't report progress. */
function outcomeOf(
  child: ChildProcess,
  directory: string,
  onProgress: OnProgress | undefined,
): Promise<Exclude<CheckMessage, { type: 'progress' | 'failed' }>> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      reject(
        storeError('internal_error', 'Starting the process that reads the store failed.', error),
      );
    });
    child.once('close', (status, signal) => {
      const end = signal ?? `exit status ${status}`;
      const detail = `The process that read ${directory} crashed (${end}). The data file is damaged.`;
      reject(storeError('storage_inconsistency', detail));
    });
    child.on('message', (message: CheckMessage) => {
      if (message.type === 'progress') onProgress?.(message.progress);
      else if (message.type === 'failed') reject(failureOf(message));
      else resolve(message);
    });
  });
}

function failureOf({ code, detail }: { code: AgentkeepError['code']; detail: string }) {
  return storeError(code, detail === '' ? 'No details are available.' : detail);
}

function unexpected(directory: string): AgentkeepError {
  return storeError(
    'internal_error',
    `The process that reads ${directory} sent an unknown message.`,
  );
}
