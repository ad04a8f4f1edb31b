/**
 * Group commit: bodies wait in a queue and run in order, many in one LMDB transaction, so that many
 * callers share one disk flush. A turn of the event loop has at most one transaction. A large one
 * is committed and flushed aside, on a thread of LMDB, while callers are answered.
 */
import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { Overlay, type WriteTarget } from '../store/overlay.js';
import { keyText } from '../store/bytes.js';
import { EPOCH_KEY, type Positions, sealEpoch } from '../store/position.js';
import type { CommitCounts, CommitObserver, WriteTx } from '../store/store.js';
import {
  type Batch,
  type BodyResult,
  type Room,
  roomFor,
  runOne,
  ValueArena,
  type Waiting,
} from './commit-batch.js';
import {
  ANSWERS_MAX,
  ANSWERS_WHILE_ASKED_MAX,
  ASIDE_BODIES_MIN,
  COMMIT_BYTES_MAX,
  splitsCallers,
  takesAnother,
} from './group-commit-policy.js';
import type { Environment } from './environment.js';
import { hasOverrunMemory } from './failure.js';
import { storeError } from '../store/store-error.js';

/** Most bodies in the queue. More are refused. */
export const QUEUE_BODIES_MAX = 65_536;

/** Default disk space that stays free, in bytes. */
export const RESERVE_BYTES = 67_108_864;

/** Dependencies and settings of {@link GroupCommit}. */
export interface GroupCommitOptions {
  readonly environment: Pick<
    Environment,
    'get' | 'range' | 'write' | 'writeAside' | 'probe' | 'isReadable'
  >;
  /** Gives positions to appended entries. Its epoch is stored with the first of them. */
  readonly positions: Positions;
  /** Measures the free bytes on the disk of the store. */
  readonly freeBytes: () => number;
  /** Free bytes below which no data is added. The default depends on the largest batch. */
  readonly reserveBytes: number | undefined;
  /** How often a write is stored: twice where commits have frames. Default: 1. */
  readonly copies?: number;
  /** Called once, when only a reopening can recover the environment. */
  readonly onFatal: (error: AgentkeepError) => void;
  /** Measures bodies and flushes, in milliseconds. Default: the clock of the process. */
  readonly nowMs?: () => number;
  /** Bodies from which a commit runs aside. Default: {@link ASIDE_BODIES_MIN}. */
  readonly asideBodiesMin?: number;
}

/** The state of a commit aside: its thread was requested, or its bodies have run. */
type BackgroundCommit = 'asked' | 'committing';

/** The queue of one store. */
export class GroupCommit {
  readonly #options: GroupCommitOptions;
  readonly #waiting: Waiting[] = [];
  /** Functions that settle the promises of bodies that ran. No batch runs while there are any. */
  readonly #answers: (() => void)[] = [];
  readonly #onIdle: (() => void)[] = [];
  readonly #onAsideEnd: (() => void)[] = [];
  readonly #observers: CommitObserver[] = [];
  readonly #arena = new ValueArena();
  #isScheduled = false;
  #aside: BackgroundCommit | undefined;
  /** When callers began to be answered in this turn, during a commit. */
  #busyFromMs: number | undefined;
  readonly #asideBodiesMin: number;
  /** Number of other users of the disk, because of which a flush may take long. */
  #diskUsers = 0;
  /** Milliseconds that a body of the last batch took on average. */
  #bodyMs = 0;
  readonly #nowMs: () => number;
  #largestBatchBytes = COMMIT_BYTES_MAX;
  /** The times of the last two flushes, in milliseconds. */
  #flushesMs: readonly [number, number] = [0, 0];
  /** Whether a commit has stored the epoch of this opening. */
  #isEpochStored = false;
  /** Whether a commit has failed and no probe has succeeded since. */
  #isSuspended = false;
  #fatalError: AgentkeepError | undefined;
  readonly #counts = { commits: 0, bodies: 0, failures: 0 };

  constructor(options: GroupCommitOptions) {
    this.#options = options;
    this.#nowMs = options.nowMs ?? (() => performance.now());
    this.#asideBodiesMin = options.asideBodiesMin ?? ASIDE_BODIES_MIN;
  }

  /** The failure that ended all work, or `undefined`. */
  get fatalError(): AgentkeepError | undefined {
    return this.#fatalError;
  }

  /** Number of bodies that are not settled yet: at most {@link QUEUE_BODIES_MAX}. */
  get waiting(): number {
    return this.#waiting.length + this.#answers.length;
  }

  /** The commits so far. */
  get counts(): CommitCounts {
    return { ...this.#counts };
  }

  /** Free bytes below which no data is added. */
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

  /** Adds an observer, which is called for every commit. */
  observe(observer: CommitObserver): void {
    this.#observers.push(observer);
  }

  /** Resolves once the queue is empty. */
  drain(): Promise<void> {
    if (this.#isIdle) return Promise.resolve();
    return new Promise((resolve) => this.#onIdle.push(resolve));
  }

  /** Resolves once no commit runs aside, before the next one is requested. */
  untilAsideEnds(): Promise<void> {
    if (this.#aside === undefined) return Promise.resolve();
    return new Promise((resolve) => this.#onAsideEnd.push(resolve));
  }

  /**
   * Makes every commit run aside, however few bodies it has, until the returned function is called:
   * other work keeps the disk busy, and a long flush would hold the event loop.
   */
  commitInBackground(): () => void {
    this.#diskUsers += 1;
    return () => {
      this.#diskUsers -= 1;
    };
  }

  /** Ends all work for good, because the data file is damaged. */
  end(error: AgentkeepError): void {
    if (this.#fatalError !== undefined) return;
    this.#fatalError = error;
    queueMicrotask(() => this.#options.onFatal(error));
  }

  get #isIdle(): boolean {
    return !this.#isScheduled && this.#aside === undefined;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#runTurn();
    });
  }

  #runTurn(): void {
    this.#busyFromMs = undefined;
    const hasAnswers = this.#answers.length > 0;
    if (this.#startsBatch()) this.#runBatchIfPossible();
    const isBusy = this.#answer(hasAnswers);
    // The end of a commit aside runs its own turn.
    const isFree = this.#aside === undefined;
    if (this.#answers.length > 0 || isBusy || (isFree && this.#waiting.length > 0)) {
      this.#schedule();
    }
    this.#settleIdle();
  }

  /**
   * Returns whether a batch may start now. Normally the callers of the last one are answered first.
   */
  #startsBatch(): boolean {
    if (this.#aside !== undefined) return false;
    if (this.#answers.length === 0) return true;
    return this.#waiting.length >= this.#asideBodiesMin && this.#splitsCallers();
  }

  /** The shorter one of the last two flushes, so that a single long one changes nothing. */
  get #flushMs(): number {
    return Math.min(...this.#flushesMs);
  }

  #splitsCallers(): boolean {
    const waiting = this.#waiting.length;
    const answers = this.#answers.length;
    return splitsCallers({ waiting, answers, bodyMs: this.#bodyMs, flushMs: this.#flushMs });
  }

  /** Answers callers. Returns whether they delay the end of a commit that is running. */
  #answer(hasAnswers: boolean): boolean {
    const count = this.#answers.length;
    // The callers of a large batch are answered in separate turns.
    if (!hasAnswers && count > ANSWERS_MAX) return false;
    let most = ANSWERS_MAX;
    if (this.#aside === 'asked') most = ANSWERS_WHILE_ASKED_MAX;
    else if (this.#aside === undefined && this.#splitsCallers()) most = Math.ceil(count / 2);
    const isBusy = this.#aside === 'committing' && count > 0;
    if (isBusy) this.#busyFromMs = this.#nowMs();
    for (const answer of this.#answers.splice(0, Math.min(most, ANSWERS_MAX))) answer();
    return isBusy;
  }

  #runBatchIfPossible(): void {
    try {
      const freeBytes = this.#freeBytes();
      const room = roomFor(freeBytes, this.reserveBytes);
      this.#resume(room, freeBytes);
      if (this.#waiting.length === 0) return;
      const { positions } = this.#options;
      const batch: Batch = {
        ...{ freeBytes, room, positions, copies: this.#options.copies ?? 1 },
        ...{ started: 0, ran: [], bytes: 0, hasEpoch: false, endedMs: 0 },
      };
      const isLarge = this.#waiting.length >= this.#asideBodiesMin;
      if (isLarge || this.#diskUsers > 0) void this.#commitAside(batch);
      else this.#commit(batch);
    } catch (error) {
      this.#rejectFirst(this.#waiting.length, error);
    }
  }

  #settleIdle(): void {
    if (!this.#isIdle) return;
    for (const resolve of this.#onIdle.splice(0)) resolve();
  }

  /** Returns the free bytes for this turn. Throws if no body may run. */
  #freeBytes(): number {
    if (this.#fatalError !== undefined) throw this.#fatalError;
    return this.#measureFree();
  }

  /** Tries to commit again after a failure, if there is room for it. Throws if no body may run. */
  #resume(room: Room, freeBytes: number): void {
    if (!this.#isSuspended) return;
    if (room !== 'none') this.#probe();
    else throw storeError('store_full', `Only ${freeBytes} bytes are free, below the reserve.`);
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

  #commit(batch: Batch): void {
    try {
      this.#options.environment.write((target) => {
        this.#runBodies(batch, target);
      });
    } catch (cause) {
      this.#failed(batch, cause);
      return;
    }
    this.#committed(batch);
  }

  /** Commits on a thread of LMDB. Never rejects. */
  async #commitAside(batch: Batch): Promise<void> {
    this.#aside = 'asked';
    const apply = (target: WriteTarget): void => {
      this.#aside = 'committing';
      this.#runBodies(batch, target);
      // Callers are answered during the commit.
      if (this.#answers.length > 0) this.#schedule();
    };
    await this.#options.environment.writeAside(apply, (failure) => {
      if (failure === undefined) this.#committed(batch);
      else this.#failed(batch, failure.cause);
    });
    this.#aside = undefined;
    for (const resolve of this.#onAsideEnd.splice(0)) resolve();
    this.#runTurn();
  }

  #runBodies(batch: Batch, target: WriteTarget): void {
    const { environment } = this.#options;
    this.#arena.clear();
    const startedMs = this.#nowMs();
    const taken = () => ({
      bodies: batch.started,
      bytes: batch.bytes,
      ms: this.#nowMs() - startedMs,
    });
    // A commit of few bodies needs little of what is left.
    const isLast = (): boolean => batch.room !== 'all' && batch.started > 0;
    while (!isLast() && takesAnother(taken(), this.#flushesMs)) {
      const waiting = this.#waiting[batch.started];
      if (waiting === undefined) break;
      batch.started += 1;
      const overlay = new Overlay(environment, this.#arena.copy);
      const ran = runOne(waiting, overlay, target, batch);
      batch.ran.push(ran);
      this.#tellWritten(ran);
      batch.bytes += overlay.sizeBytes;
    }
    batch.hasEpoch = this.#isEpochStored || this.#storeEpoch(batch.ran, target);
    batch.endedMs = this.#nowMs();
    this.#bodyMs = (batch.endedMs - startedMs) / Math.max(batch.started, 1);
  }

  #tellWritten({ applied }: BodyResult): void {
    if (applied === undefined) return;
    for (const observer of this.#observers) observer.written?.(applied.writes());
  }

  #failed({ started }: Batch, cause: unknown): void {
    this.#counts.failures += 1;
    const error = hasOverrunMemory(cause)
      ? this.#endWith(cause)
      : new AgentkeepError('store_unavailable', { cause });
    this.#options.positions.settle(this.#options.positions.begun);
    for (const observer of this.#observers) observer.failed();
    // Results and errors of this batch may depend on writes that were not stored.
    this.#rejectFirst(Math.max(started, 1), error);
    this.#isSuspended = true;
    // Probe soon, so that a fatal failure is reported even without further calls.
    this.#schedule();
  }

  #committed({ started, ran, bytes, copies, hasEpoch, endedMs }: Batch): void {
    this.#counts.commits += 1;
    this.#counts.bodies += started;
    this.#options.positions.settle(this.#options.positions.begun);
    this.#isEpochStored = hasEpoch;
    // Callers that are being answered delay the end of a commit aside.
    const flushedMs = this.#busyFromMs ?? this.#nowMs();
    this.#flushesMs = [flushedMs - endedMs, this.#flushesMs[0]];
    this.#largestBatchBytes = Math.max(this.#largestBatchBytes, copies * bytes);
    this.#waiting.splice(0, started);
    for (const { applied } of ran) {
      if (applied === undefined) continue;
      for (const observer of this.#observers) observer.committed(applied.writes());
    }
    for (const { answer } of ran) this.#answers.push(answer);
  }

  /** Stores the epoch with the first appended entries, so that the next one is above it. */
  #storeEpoch(ran: readonly BodyResult[], target: WriteTarget): boolean {
    if (!ran.some(({ hasAppended }) => hasAppended === true)) return false;
    const { epoch } = this.#options.positions;
    target.put(keyText(EPOCH_KEY), sealEpoch({ epoch, source: 0 }));
    return true;
  }

  #rejectFirst(count: number, error: unknown): void {
    for (const { reject } of this.#waiting.splice(0, count)) reject(error);
  }
}
