/**
 * Checks a snapshot in a process of its own.
 *
 * Starts a child process from a thread. Starting one copies the page tables of this process, for
 * about 60 ms per GB. A thread that does it holds the event loop for a third to a half of that.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { storeError } from '../../storage/store/store-error.js';
import type { ErasuresInStore } from '../erasure/ledger.js';
import type { CheckMessage, CheckReport, CheckTask } from './check-messages.js';
import type { OnProgress } from './progress.js';
import type { SnapshotFileName } from './snapshot-files.js';

/** This module; a bundle in the form of CommonJS doesn't know where it is. */
const here = import.meta.url as string | undefined;
const require = createRequire(here ?? join(process.cwd(), 'bundle.cjs'));

/** The store to check. */
interface CheckRequest {
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
interface HeldStore {
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

/** Events of a child process, in order. */
interface ChildEvents {
  readonly onMessage: (message: unknown) => void;
  /** It could not be started. */
  readonly onError: (error: unknown) => void;
  /** It has ended, with `exit status 1` or `SIGBUS`, for example. */
  readonly onEnd: (end: string) => void;
}

/** A process of this Node.js executable with a channel, and without other input and output. */
interface StartedChild {
  /** Sends a message, if the child still runs. */
  send(message: string): void;
}

/** A message from the thread. */
type ChildReport =
  { readonly message: unknown } | { readonly error: unknown } | { readonly end: string };

/** The program of the thread, as a text, so that every bundle contains it. */
const RELAY = `
const { spawn } = require('node:child_process');
const { parentPort, workerData } = require('node:worker_threads');
const child = spawn(process.execPath, workerData, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
child.on('message', (message) => parentPort.postMessage({ message }));
child.once('error', (error) => {
  parentPort.postMessage({ error });
  parentPort.close();
});
child.once('close', (status, signal) => {
  parentPort.postMessage({ end: signal ?? 'exit status ' + status });
  parentPort.close();
});
parentPort.on('message', (message) => {
  if (child.connected) child.send(message, () => undefined);
});
`;

/** Starts a program with arguments. */
export function startChild(words: readonly string[], events: ChildEvents): StartedChild {
  const relay = new Worker(RELAY, { eval: true, workerData: words, execArgv: [] });
  let hasEnded = false;
  const end = (how: string): void => {
    if (!hasEnded) events.onEnd(how);
    hasEnded = true;
  };
  relay.on('message', (told: ChildReport) => {
    if ('message' in told) events.onMessage(told.message);
    else if ('error' in told) events.onError(told.error);
    else end(told.end);
  });
  relay.once('error', events.onError);
  relay.once('exit', (status) => {
    end(`exit status ${status}`);
  });
  return {
    send: (message) => {
      relay.postMessage(message);
    },
  };
}
