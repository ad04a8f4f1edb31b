/** A store on disk that a test ships to a target by hand, and what it held at each position. */
import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FrameFeed } from '../src/storage/frames/frame-log.js';
import { framePointIn } from '../src/storage/lmdb-store/frame-point.js';
import { manifestOfFound } from '../src/storage/lmdb-store/found-store.js';
import { openFramedStore, openLmdbStore } from '../src/storage/lmdb-store/open-lmdb-store.js';
import { decodeFrame, NO_FRAME } from '../src/storage/frames/frame.js';
import { keyText } from '../src/storage/store/bytes.js';
import type { Store } from '../src/storage/store/store.js';
import { createBaseCopy } from '../src/upkeep/replication/copies/base-copy.js';
import { directoryId } from '../src/upkeep/replication/directory-id.js';
import { openReplicaTarget } from '../src/upkeep/replication/targets/open-replica-target.js';
import { ReplicaLog } from '../src/upkeep/replication/log/replica-log.js';
import type { ReplicaTarget } from '../src/upkeep/replication/targets/replica-target.js';

/** What a store holds: values by key, both with one character for each byte. */
export type Content = ReadonlyMap<string, string>;

/** A store whose frames go to a target when a test says so. */
export class ReplicatedStore {
  readonly store: Store;
  readonly frames: FrameFeed;
  readonly target: ReplicaTarget;
  readonly log: ReplicaLog;
  readonly #directory: string;
  readonly #storeId: string;
  /** All frames since the opening, which the target need not have. */
  readonly #all: Uint8Array[] = [];

  private constructor(
    opened: { store: Store; frames: FrameFeed },
    log: ReplicaLog,
    target: ReplicaTarget,
    place: { directory: string; storeId: string },
  ) {
    this.store = opened.store;
    this.frames = opened.frames;
    this.log = log;
    this.target = target;
    this.#directory = place.directory;
    this.#storeId = place.storeId;
    opened.frames.onCommit(() => {
      const { position } = opened.frames.tip;
      for (const frame of opened.frames.read(position - 1, Infinity)) {
        this.#all[position] = Uint8Array.from(frame);
      }
    });
  }

  /** Opens the store and claims the log, with a base copy where the log is new. */
  static async open(
    directory: string,
    address: string,
    now: () => number = () => Date.now(),
  ): Promise<ReplicatedStore> {
    const opened = await openFramedStore({ directory, reserveBytes: 0 }, now);
    const { storeId } = await manifestOfFound(directory);
    const target = await openReplicaTarget(address);
    const id = await directoryId(directory);
    const log = await ReplicaLog.open({ target, store: storeId, directory: id });
    const made = new ReplicatedStore(opened, log, target, { directory, storeId });
    if (log.isOurs) return made;
    await log.claim({ last: opened.frames.tip, generation: 'next' });
    await made.base(now());
    return made;
  }

  /** Appends at most so many frames that the target lacks. */
  async ship(count = Infinity): Promise<void> {
    const after = this.log.tip?.last.position ?? 0;
    const frames = this.frames.read(after, Infinity).slice(0, count);
    await this.log.append(frames.map((frame) => Uint8Array.from(frame)));
  }

  /** Makes a base copy of the store as it is now. */
  async base(madeMs = Date.now()): Promise<void> {
    const copy = join(this.#directory, 'copy');
    const { generation = 1, slot = 0 } = this.log.tip ?? {};
    await mkdir(copy);
    try {
      await this.store.backup(copy);
      const last = (await framePointIn(copy)) ?? NO_FRAME;
      const origin = { store: this.#storeId, generation, slot, last, madeMs };
      await createBaseCopy(this.target, copy, origin);
    } finally {
      await rm(copy, { recursive: true });
    }
  }

  /** Returns what the store held after a commit, by the writes of all frames since its start. */
  contentAt(position: number): Content {
    const content = new Map<string, string>();
    for (let at = 1; at <= position; at += 1) {
      const frame = this.#all[at];
      if (frame === undefined) throw new Error(`There is no frame ${at}.`);
      for (const [key, value] of decodeFrame(frame).writes) {
        if (value === undefined) content.delete(key);
        else content.set(key, keyText(value));
      }
    }
    return content;
  }

  /** Returns the time of a commit. */
  timeOf(position: number): number {
    return decodeFrame(this.#all[position] ?? new Uint8Array()).timeMs;
  }
}

/** Returns what the store of a directory holds. */
export async function contentOf(directory: string): Promise<Content> {
  const store = await openLmdbStore({ directory });
  const content = new Map<string, string>();
  await store.scan(({ key, value }) => content.set(keyText(key), keyText(value)));
  await store.close();
  return content;
}

/** Returns what a standby holds, by a copy beside it, so that it can go on following. */
export async function contentOfStandby(directory: string): Promise<Content> {
  const copy = `${directory}-copy`;
  await cp(directory, copy, { recursive: true });
  await rm(join(copy, 'lock.mdb'), { force: true });
  try {
    return await contentOf(copy);
  } finally {
    await rm(copy, { recursive: true });
  }
}
