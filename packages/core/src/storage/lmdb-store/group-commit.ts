/**
 * Group commit: bodies wait in a queue and run in order, many in one LMDB transaction, so that many
 * callers share one disk flush. A turn of the event loop has at most one transaction.
 */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { Overlay, type WriteTarget } from '../store/overlay.js';
import type { CommitObserver, WriteTx } from '../store/store.js';
import { runWriteBody } from '../store/transaction-view.js';
import { ANSWERS_MAX, COMMIT_BYTES_MAX, takesAnother } from './group-commit-policy.js';
import type { Environment } from './environment.js';
import { hasOverrunMemory } from './failure.js';
import { storeError } from '../store/store-error.js';
import { ValueArena } from './value-arena.js';

/** Most bodies in the queue. More are refused. */
export const QUEUE_BODIES_MAX = 65_536;

/** Default disk space that stays free, in bytes. */
export const RESERVE_BYTES = 67_108_864;

/** Dependencies and settings of {@link GroupCommit}. */
export interface GroupCommitOptions {
  readonly environment: Pick<Environment, 'get' | 'range' | 'write' | 'probe' | 'isReadable'>;
  /** Measures the free bytes on the disk of the store. */
  readonly freeBytes: () => number;
  /** Free bytes below which nothing is written. The default depends on the largest batch. */
  readonly reserveBytes: number | undefined;
  /** Called once, when only a reopening can recover the environment. */
  readonly onFatal: (error: AgentkeepError) => void;
  /** Measures bodies and flushes, in milliseconds. Default: the clock of the process. */
  readonly nowMs?: () => number;
}

/** A queued body with the functions that settle its promise. */
interface Waiting {
  readonly body: (tx: WriteTx) => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** A body that ran. */
interface Ran {
  /** Its writes, if they are part of the batch. */
  readonly applied?: Overlay;
  /** Settles its promise. */
  readonly answer: () => void;
}

/** The queue of one store. */
export class GroupCommit {
  readonly #options: GroupCommitOptions;
  readonly #waiting: Waiting[] = [];
  /** Settle the promises of bodies that ran. No batch runs while there are any. */
  readonly #answers: (() => void)[] = [];
  readonly #onIdle: (() => void)[] = [];
  readonly #observers: CommitObserver[] = [];
  readonly #arena = new ValueArena();
  #isScheduled = false;
  readonly #nowMs: () => number;
  #largestBatchBytes = COMMIT_BYTES_MAX;
  /** The times of the last two flushes, in milliseconds. */
  #flushesMs: readonly [number, number] = [0, 0];
  /** Whether a commit has failed and no probe has succeeded since. */
  #isSuspended = false;
  #fatalError: AgentkeepError | undefined;

  constructor(options: GroupCommitOptions) {
    this.#options = options;
    this.#nowMs = options.nowMs ?? (() => performance.now());
  }

  /** The failure that ended all work, or `undefined`. */
  get fatalError(): AgentkeepError | undefined {
    return this.#fatalError;
  }

  /** Number of bodies that are not settled yet: at most {@link QUEUE_BODIES_MAX}. */
  get waiting(): number {
    return this.#waiting.length + this.#answers.length;
  }

  /** Free bytes below which nothing is written. */
  get reserveBytes(): number {
    return this.#options.reserveBytes ?? Math.max(RESERVE_BYTES, 2 * this.#largestBatchBytes);
  }

  /**
   * Queues a body. Resolves with its result after its writes are committed.
   *
   * @throws {AgentkeepError} `store_full` or `store_unavailable`. Errors of the body are rethrown.
   */
  submit<T>(body: (tx: WriteTx) => T): Promise<T> {
    if (this.waiting >= QUEUE_BODIES_MAX) {
      const detail = `The queue is full: ${QUEUE_BODIES_MAX} transactions are waiting.`;
      return Promise.reject(storeError('store_unavailable', detail));
    }
    return new Promise<T>((resolve, reject) => {
      // Each body is settled with its own result, so the type is right.
      this.#waiting.push({ body, resolve: resolve as (value: unknown) => void, reject });
      this.#schedule();
    });
  }

  /** Adds an observer, which hears of every commit. */
  observe(observer: CommitObserver): void {
    this.#observers.push(observer);
  }

  /** Resolves once the queue is empty. */
  drain(): Promise<void> {
    if (!this.#isScheduled) return Promise.resolve();
    return new Promise((resolve) => this.#onIdle.push(resolve));
  }

  /** Ends all work for good, because the data file is damaged. */
  end(error: AgentkeepError): void {
    if (this.#fatalError !== undefined) return;
    this.#fatalError = error;
    queueMicrotask(() => this.#options.onFatal(error));
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#runTurn());
  }

  #runTurn(): void {
    this.#isScheduled = false;
    const hasRun = this.#answers.length > 0;
    if (!hasRun) this.#runBatchIfPossible();
    // The callers of a large batch are answered in turns of their own.
    if (hasRun || this.#answers.length <= ANSWERS_MAX) {
      for (const answer of this.#answers.splice(0, ANSWERS_MAX)) answer();
    }
    if (this.waiting > 0) this.#schedule();
    this.#settleIdle();
  }

  #runBatchIfPossible(): void {
    try {
      const freeBytes = this.#checkFreeSpace();
      if (this.#waiting.length > 0) this.#runBatch(freeBytes);
    } catch (error) {
      this.#rejectFirst(this.#waiting.length, error);
    }
  }

  #settleIdle(): void {
    if (this.#isScheduled) return;
    for (const resolve of this.#onIdle.splice(0)) resolve();
  }

  /** Returns the free bytes for this turn. Throws if no body may run. */
  #checkFreeSpace(): number {
    if (this.#fatalError !== undefined) throw this.#fatalError;
    const freeBytes = this.#measureFree();
    if (freeBytes < this.reserveBytes) {
      const detail = `Only ${freeBytes} bytes are free, below the reserve of ${this.reserveBytes}.`;
      throw storeError('store_full', detail);
    }
    if (this.#isSuspended) this.#probe();
    return freeBytes;
  }

  #measureFree(): number {
    try {
      return this.#options.freeBytes();
    } catch (cause) {
      throw new AgentkeepError('store_unavailable', { cause });
    }
  }

  #probe(): void {
    const { environment } = this.#options;
    try {
      environment.probe();
      this.#isSuspended = false;
    } catch (cause) {
      if (hasOverrunMemory(cause) || !environment.isReadable()) throw this.#endWith(cause);
      throw new AgentkeepError('store_unavailable', { cause });
    }
  }

  /** Ends all work for good. Returns the error for all callers. */
  #endWith(cause: unknown): AgentkeepError {
    const error = new AgentkeepError('store_unavailable', { cause });
    this.end(error);
    return error;
  }

  #runBatch(freeBytes: number): void {
    const { environment } = this.#options;
    const ran: Ran[] = [];
    this.#arena.clear();
    let started = 0;
    let batchBytes = 0;
    let flushedFromMs = 0;
    try {
      environment.write((target) => {
        const startedMs = this.#nowMs();
        const taken = () => ({
          bodies: started,
          bytes: batchBytes,
          ms: this.#nowMs() - startedMs,
        });
        while (takesAnother(taken(), this.#flushesMs)) {
          const waiting = this.#waiting[started];
          if (waiting === undefined) break;
          started += 1;
          const overlay = new Overlay(environment, this.#arena.copy);
          ran.push(runOne(waiting, overlay, target, freeBytes));
          batchBytes += overlay.sizeBytes;
        }
        flushedFromMs = this.#nowMs();
      });
    } catch (cause) {
      const error = hasOverrunMemory(cause)
        ? this.#endWith(cause)
        : new AgentkeepError('store_unavailable', { cause });
      for (const observer of this.#observers) observer.failed();
      // Results and errors of this batch may depend on writes that were not stored.
      this.#rejectFirst(Math.max(started, 1), error);
      this.#isSuspended = true;
      // Probe soon, so that a fatal failure is reported even without further calls.
      this.#schedule();
      return;
    }
    this.#flushesMs = [this.#nowMs() - flushedFromMs, this.#flushesMs[0]];
    this.#largestBatchBytes = Math.max(this.#largestBatchBytes, batchBytes);
    this.#waiting.splice(0, started);
    for (const { applied } of ran) {
      if (applied === undefined) continue;
      for (const observer of this.#observers) observer.committed(applied.writes());
    }
    for (const { answer } of ran) this.#answers.push(answer);
  }

  #rejectFirst(count: number, error: unknown): void {
    for (const { reject } of this.#waiting.splice(0, count)) reject(error);
  }
}

/** Runs a body and applies its writes. */
function runOne(
  { body, resolve, reject }: Waiting,
  overlay: Overlay,
  target: WriteTarget,
  freeBytes: number,
): Ran {
  let result: unknown;
  try {
    result = runWriteBody(overlay, body);
  } catch (error) {
    return { answer: () => reject(error) };
  }
  if (2 * overlay.sizeBytes > freeBytes) {
    const detail = `Only ${freeBytes} bytes are free, too few for this transaction.`;
    return { answer: () => reject(storeError('store_full', detail)) };
  }
  overlay.applyTo(target);
  return { applied: overlay, answer: () => resolve(result) };
}
