/**
 * Sends frames of commits to a replication target: opens its log, appends what waits as segments,
 * waits longer after each failure, and gives frames up when too many wait.
 */
import { clearTimeout, setTimeout } from 'node:timers';
import type { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { fileFailure } from '../../storage/lmdb-store/failure.js';
import type { FrameFeed } from '../../storage/frames/frame-log.js';
import { frameHead } from '../../storage/frames/frame.js';
import type { Clock } from '../../kernel/ports/clock.js';
import type { BaseCopies } from './copies/base-renewal.js';
import { Deliveries, unavailable } from './deliveries.js';
import type { ReplicaLog } from './log/replica-log.js';
import type { ReplicationSettings } from './replication-options.js';
import type { ReplicaTarget } from './targets/replica-target.js';

/** Bytes of frames after which a segment takes no more. */
const SEGMENT_BYTES = 4_194_304;

/** Wait after the first failure in milliseconds, which doubles up to the longest one. */
const RETRY_MS = 500;
const RETRY_MAX_MS = 30_000;

/** How long the last frames are sent at a close, in milliseconds. */
const CLOSE_MS = 5_000;

/** How often it looks whether whole copies are due, in milliseconds. */
const COPIES_EVERY_MS = 60_000;

/** Errors after which a writer never writes again. */
const FINAL = new Set<string>(['replica_fenced', 'replica_foreign']);

/** A target that was opened, with its log and its whole copies. */
export interface AttachedTarget {
  readonly target: ReplicaTarget;
  readonly log: ReplicaLog;
  readonly copies: BaseCopies;
}

/** What a shipper works with. */
export interface ShipperParts {
  readonly frames: FrameFeed;
  readonly settings: ReplicationSettings;
  readonly clock: Clock;
  /** Opens the target. Throws while it is away. */
  readonly attach: () => Promise<AttachedTarget>;
  /** Whether the disk of the frames has room for more of them. */
  readonly hasRoom: () => boolean;
  /** Commits what the frames note, so that it lasts. */
  readonly settle: () => Promise<unknown>;
}

/** Where replication is. */
export interface ReplicationStatus {
  /** Address of the target. Addresses have no secrets. */
  readonly target: string;
  readonly mode: ReplicationSettings['mode'];
  /** `away`: the last try failed; `fenced`: another directory writes to the target. */
  readonly state: 'starting' | 'shipping' | 'away' | 'fenced';
  /** Commits that the target lacks. */
  readonly lagFrames: number;
  /** Bytes of them. */
  readonly lagBytes: number;
  /** Age of the oldest of them in milliseconds. */
  readonly lagMs: number;
  /** Frames that are in the target. */
  readonly shippedPosition: number;
  readonly generation: number | undefined;
  readonly epoch: number | undefined;
  /** When the newest whole copy was made, in Unix milliseconds. */
  readonly copyMs: number | undefined;
  readonly lastError: AgentkeepError | undefined;
  /** When it happened, in Unix milliseconds. It stays after the target has answered again. */
  readonly lastErrorMs: number | undefined;
}

/** Sends the frames of one store. */
export class Shipper {
  readonly #parts: ShipperParts;
  /** Writes that wait until they can be restored. */
  readonly #deliveries = new Deliveries();
  /** Whole copies that wait until the log reaches them. */
  readonly #sent = new Deliveries();
  #attached: AttachedTarget | undefined;
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #copying: Promise<void> | undefined;
  #copiesDueMs = -Infinity;
  #roomDueMs = -Infinity;
  #failures = 0;
  #lastError: AgentkeepError | undefined;
  #lastErrorMs: number | undefined;
  #final: AgentkeepError | undefined;
  #awaySinceMs: number | undefined;
  /** Time of the oldest frame that was dropped; `undefined` for one of an earlier process. */
  #lostSinceMs: number | undefined;
  #isStopped = false;
  #isClosed = false;

  constructor(parts: ShipperParts) {
    this.#parts = parts;
    parts.frames.onCommit(() => {
      this.#committed();
    });
  }

  /**
   * Opens the target and begins to send.
   * @throws {AgentkeepError} if the target can never be used: `replica_fenced`, `replica_foreign`
   * or `replica_unsuitable`. One that is away is tried again later.
   */
  async start(): Promise<void> {
    try {
      await this.#attach();
    } catch (error) {
      const failure = fileFailure(error);
      if (FINAL.has(failure.code) || failure.code === 'replica_unsuitable') throw failure;
      this.#failed(failure);
    }
    this.#schedule(this.#failures > 0 ? RETRY_MS : 0);
  }

  /** When answers may be given. */
  get mode(): ReplicationSettings['mode'] {
    return this.#parts.settings.mode;
  }

  /** Where replication is now. */
  get status(): ReplicationStatus {
    const { frames, settings } = this.#parts;
    return {
      target: settings.target,
      mode: settings.mode,
      state: this.#state,
      lagFrames: this.#lagFrames,
      lagBytes: frames.waitingBytes,
      lagMs: this.#lagMs,
      shippedPosition: frames.shipped.position,
      generation: this.#attached?.log.tip?.generation,
      epoch: this.#attached?.log.tip?.epoch,
      copyMs: this.#attached?.copies.newestMs,
      lastError: this.#lastError,
      lastErrorMs: this.#lastErrorMs,
    };
  }

  /**
   * Resolves once a frame is in the target and can be restored.
   * @throws {AgentkeepError} `replica_unavailable` if that takes too long; `replica_fenced`.
   */
  delivered(position: number): Promise<void> {
    if (this.#reached >= position) return Promise.resolve();
    if (this.#final !== undefined) return Promise.reject(this.#final);
    const { acknowledgeMs } = this.#parts.settings;
    const awayMs = this.#parts.clock.monotonic() - (this.#awaySinceMs ?? Infinity);
    // Waiting again would only fill the memory.
    if (this.#isClosed || awayMs > acknowledgeMs) return Promise.reject(unavailable());
    return this.#deliveries.until(position, acknowledgeMs);
  }

  /** Sends what waits now, after what is being sent. Resolves also if it failed. */
  async ship(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
    this.#running = this.#shipAll().finally(() => {
      this.#running = undefined;
    });
    await this.#running;
  }

  /** Sends what waits, for a few seconds at most, and closes the target. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#attached?.copies.stop();
    if (this.#failures === 0 && this.#final === undefined) await within(CLOSE_MS, this.ship());
    await within(CLOSE_MS, Promise.allSettled([this.#copying]));
    this.#isClosed = true;
    this.#fail(unavailable());
    await this.#attached?.target.close().catch(() => undefined);
  }

  get #state(): ReplicationStatus['state'] {
    if (this.#final !== undefined) return 'fenced';
    if (this.#failures > 0) return 'away';
    return this.#attached === undefined ? 'starting' : 'shipping';
  }

  /** The last frame that can be restored. */
  get #reached(): number {
    return this.#attached?.copies.isComplete === true ? this.#parts.frames.shipped.position : -1;
  }

  get #lagFrames(): number {
    const { tip, shipped } = this.#parts.frames;
    return tip.position - shipped.position;
  }

  get #lagMs(): number {
    return this.#lagFrames === 0 ? 0 : Math.max(0, this.#parts.clock.now() - this.#oldestMs);
  }

  /** Time of the oldest commit that the target lacks, at the latest. */
  get #oldestMs(): number {
    const { hasGap, shipped, kept } = this.#parts.frames;
    if (!hasGap) return this.#oldestKeptMs;
    return this.#lostSinceMs ?? (shipped.position === 0 ? kept.timeMs : shipped.timeMs);
  }

  get #oldestKeptMs(): number {
    const { frames } = this.#parts;
    const { tip, kept } = frames;
    const isKept = !this.#isClosed && tip.position > kept.position;
    const [oldest] = isKept ? frames.read(kept.position, 1) : [];
    return oldest === undefined ? kept.timeMs : frameHead(oldest).timeMs;
  }

  /** Gives up what waits, which a whole copy replaces later. */
  #drop(): void {
    const { frames } = this.#parts;
    if (!frames.hasGap) this.#lostSinceMs = this.#oldestKeptMs;
    frames.drop();
  }

  /** Whether what waits for a target that is away or too slow leaves too little room for writes. */
  get #fillsDisk(): boolean {
    const { frames, settings, hasRoom } = this.#parts;
    if (frames.waitingBytes < SEGMENT_BYTES) return false;
    return (this.#failures > 0 || this.#lagMs > 2 * settings.lagMs) && !hasRoom();
  }

  #committed(): void {
    const { frames, settings } = this.#parts;
    if (frames.waitingBytes > settings.waitingBytes || this.#fillsDisk) this.#drop();
    if (this.#final !== undefined || this.#failures > 0) return;
    // Half of the lag is left for sending.
    this.#schedule(this.#isUrgent ? 0 : settings.lagMs / 2);
  }

  /** Whether frames don't wait for others that are sent in the same segment. */
  get #isUrgent(): boolean {
    const { frames, settings } = this.#parts;
    return settings.mode === 'acknowledged' || frames.waitingBytes >= SEGMENT_BYTES;
  }

  /** Ships soon, unless that is due already. */
  #schedule(delayMs: number): void {
    if (this.#isStopped) return;
    if (delayMs === 0 && this.#running === undefined) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      void this.ship();
      return;
    }
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.ship();
    }, delayMs).unref();
  }

  /** Never rejects. */
  async #shipAll(): Promise<void> {
    if (this.#final !== undefined) return;
    try {
      const attached = await this.#attach();
      let hasMore = true;
      while (hasMore) {
        await this.#closeGap(attached);
        await attached.copies.shipLedger();
        hasMore = await this.#shipSegment(attached);
        this.#renewCopies(attached);
      }
      this.#failures = 0;
      this.#awaySinceMs = undefined;
      // What was committed meanwhile, also during a try that followed a failure.
      const { tip, kept } = this.#parts.frames;
      if (tip.position > kept.position) this.#schedule(this.#parts.settings.lagMs / 2);
    } catch (error) {
      this.#failed(fileFailure(error));
      this.#makeRoom();
    }
  }

  /** Removes what is too old also while nothing can be sent: the target may be full of it. */
  #makeRoom(): void {
    const nowMs = this.#parts.clock.monotonic();
    const isBusy = this.#copying !== undefined || this.#isStopped || this.#final !== undefined;
    if (isBusy || this.#attached === undefined || nowMs < this.#roomDueMs) return;
    this.#roomDueMs = nowMs + COPIES_EVERY_MS;
    this.#copying = this.#attached.copies
      .removeOld()
      .catch(() => undefined)
      .finally(() => {
        this.#copying = undefined;
      });
  }

  async #attach(): Promise<AttachedTarget> {
    this.#attached ??= await this.#parts.attach();
    return this.#attached;
  }

  /** Begins a generation if frames before the next one are lost. */
  async #closeGap({ log, copies }: AttachedTarget): Promise<void> {
    const { frames } = this.#parts;
    if (!frames.hasGap || (log.tip !== undefined && isReached(log, frames))) return;
    await log.claim({ last: frames.kept, generation: 'next' });
    copies.begin();
    this.#copiesDueMs = -Infinity;
  }

  /** Sends one segment; returns whether the next one has to follow at once. */
  async #shipSegment({ log, copies }: AttachedTarget): Promise<boolean> {
    const { frames } = this.#parts;
    if (this.#isClosed) return false;
    // Dropped meanwhile.
    if (frames.hasGap && !isReached(log, frames)) return true;
    const { position } = frames.tip;
    const sent = frames.read(frames.kept.position, SEGMENT_BYTES);
    if (sent.length === 0) return false;
    await log.append(sent);
    const bytes = sent.reduce((sum, { length }) => sum + length, 0);
    const last = log.tip?.last;
    if (last === undefined) throw new RangeError('The log has no end.');
    if (last.position <= frames.kept.position) return true;
    frames.noteShipped(last, bytes);
    copies.noteShipped(bytes);
    this.#sent.reach(last.position);
    this.#deliveries.reach(this.#reached);
    return this.#isUrgent ? frames.tip.position > last.position : position > last.position;
  }

  /** Makes and removes whole copies, beside the sending of frames. */
  #renewCopies({ copies, log }: AttachedTarget): void {
    const nowMs = this.#parts.clock.monotonic();
    if (this.#copying !== undefined || this.#isStopped || nowMs < this.#copiesDueMs) return;
    this.#copiesDueMs = nowMs + COPIES_EVERY_MS;
    const untilSent = async (position: number): Promise<void> => {
      const reached = log.tip?.last.position ?? 0;
      if (reached >= position) return;
      void this.ship();
      await this.#sent.until(position, COPIES_EVERY_MS);
    };
    this.#copying = copies
      .renew(log, untilSent)
      .then((isMade) => (isMade ? this.#copied() : undefined))
      .catch((error: unknown) => {
        this.#copiesDueMs = this.#parts.clock.monotonic() + copies.retryMs;
        this.#failed(fileFailure(error));
      })
      .finally(() => {
        this.#copying = undefined;
      });
  }

  async #copied(): Promise<void> {
    const { frames, settle } = this.#parts;
    if (frames.hasGap && this.#attached && isReached(this.#attached.log, frames)) {
      frames.closeGap();
      this.#lostSinceMs = undefined;
      await settle();
    }
    this.#deliveries.reach(this.#reached);
  }

  #fail(error: AgentkeepError): void {
    this.#deliveries.fail(error);
    this.#sent.fail(error);
  }

  #failed(error: AgentkeepError): void {
    this.#lastError = error;
    this.#lastErrorMs = this.#parts.clock.now();
    this.#failures += 1;
    this.#awaySinceMs ??= this.#parts.clock.monotonic();
    if (FINAL.has(error.code)) {
      this.#final = error;
      this.#fail(error);
      return;
    }
    if (this.#isStopped) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#schedule(Math.min(RETRY_MS * 2 ** (this.#failures - 1), RETRY_MAX_MS));
  }
}

/** Whether a log continues after the gap of the frames. */
function isReached({ tip }: ReplicaLog, { kept }: FrameFeed): boolean {
  return tip?.last.position === kept.position && tip.last.digest === kept.digest;
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
