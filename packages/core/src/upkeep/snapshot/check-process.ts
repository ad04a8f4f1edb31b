/** Starts the program that checks a store and returns its result. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { storeError } from '../../storage/store/store-error.js';
import type { CheckMessage, CheckReport, CheckTask } from './check-messages.js';
import type { ErasuresInStore } from '../erasure/ledger.js';
import type { OnProgress } from './progress.js';
import type { SnapshotFileName } from './snapshot-files.js';
import { startChild, type StartedChild } from './started-child.js';

/** This module; a bundle in the form of CommonJS doesn't know where it is. */
const here = import.meta.url as string | undefined;
const require = createRequire(here ?? join(process.cwd(), 'bundle.cjs'));

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
  const task = { kind: 'check', directory, files, verifiesAudit } as const;
  const outcome = await start(task, onProgress).outcome;
  if (outcome.type === 'report') return outcome.report;
  throw unexpected(directory);
}

/** A store that no other process can open. */
export interface HeldStore {
  /** Its finished erasures. */
  readonly finished: ErasuresInStore;
  release(): Promise<void>;
}

/**
 * Keeps other processes from opening a store, by a separate process that holds it open.
 * @throws {AgentkeepError} as {@link checkStore}.
 */
export async function holdStore(directory: string): Promise<HeldStore> {
  const { outcome, ended, child } = start({
    kind: 'hold',
    directory,
    files: [],
    verifiesAudit: false,
  });
  const held = await outcome;
  if (held.type !== 'open') throw unexpected(directory);
  return {
    finished: held.finished,
    release: () => {
      child.send('release');
      return ended;
    },
  };
}

/**
 * Returns the finished erasures of a store, which stays as it is.
 * @throws {AgentkeepError} as {@link checkStore}.
 */
export async function erasuresIn(directory: string): Promise<ErasuresInStore> {
  const started = start({ kind: 'list', directory, files: [], verifiesAudit: false });
  const listed = await started.outcome;
  if (listed.type !== 'open') throw unexpected(directory);
  await started.ended;
  return listed.finished;
}

/** The end of a task: the first message that doesn't report progress. */
type Outcome = Exclude<CheckMessage, { type: 'progress' | 'failed' }>;

interface Started {
  readonly child: StartedChild;
  readonly outcome: Promise<Outcome>;
  /** Resolves once the process has ended. */
  readonly ended: Promise<void>;
}

function start(task: CheckTask, onProgress?: OnProgress): Started {
  const { directory } = task;
  let report: (outcome: Outcome) => void = () => undefined;
  let fail: (error: AgentkeepError) => void = () => undefined;
  let markEnded: () => void = () => undefined;
  const outcome = new Promise<Outcome>((resolve, reject) => {
    report = resolve;
    fail = reject;
  });
  const ended = new Promise<void>((resolve) => {
    markEnded = resolve;
  });
  const child = startChild([program(), JSON.stringify(task)], {
    onMessage: (sent) => {
      const message = sent as CheckMessage;
      if (message.type === 'progress') onProgress?.(message.progress);
      else if (message.type === 'failed') fail(failureOf(message));
      else report(message);
    },
    onError: (error) => {
      const detail = 'Starting the process that reads the store failed.';
      fail(storeError('internal_error', detail, error));
      markEnded();
    },
    onEnd: (end) => {
      const detail = `The process that read ${directory} crashed (${end}). The data file is damaged.`;
      fail(storeError('storage_inconsistency', detail));
      markEnded();
    },
  });
  return { child, outcome, ended };
}

/** Returns the path of the program: beside this file in a bundle, else in the installed package. */
function program(): string {
  if (here === undefined) return installedProgram();
  const folder = here.endsWith('.ts') ? '../../../dist/' : './';
  const beside = fileURLToPath(new URL(`${folder}snapshot-check.js`, here));
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

function failureOf({ code, detail }: { code: AgentkeepError['code']; detail: string }) {
  return storeError(code, detail === '' ? 'No details are available.' : detail);
}

function unexpected(directory: string): AgentkeepError {
  return storeError(
    'internal_error',
    `The process that reads ${directory} sent an unknown message.`,
  );
}
