/** A store that is copied elsewhere while it is open. */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import type { FrameFeed } from '../../storage/frames/frame-log.js';
import type {
  CommitCounts,
  CommitObserver,
  Entry,
  HeldState,
  SnapshotTx,
  Store,
  StoreStats,
  WriteTx,
} from '../../storage/store/store.js';
import type { ReplicationStatus, Shipper } from './shipper.js';

/** A store with the replication of its commits. */
export class ReplicatedStore implements Store {
  readonly isShared = false;
  /** As {@link Store.observe}. */
  readonly observe?: (observer: CommitObserver) => void;
  /** As {@link Store.commits}. */
  readonly commits?: () => CommitCounts;
  /** As {@link Store.isInPlace}. */
  readonly isInPlace?: () => Promise<boolean>;
  readonly #store: Store;
  readonly #frames: FrameFeed;
  readonly #shipper: Shipper;
  #closing: Promise<void> | undefined;

  constructor(store: Store, frames: FrameFeed, shipper: Shipper) {
    this.#store = store;
    this.#frames = frames;
    this.#shipper = shipper;
    if (store.observe !== undefined) this.observe = store.observe.bind(store);
    if (store.commits !== undefined) this.commits = store.commits.bind(store);
    if (store.isInPlace !== undefined) this.isInPlace = store.isInPlace.bind(store);
  }

  /** Where replication is. */
  get replication(): ReplicationStatus {
    return this.#shipper.status;
  }

  /** Sends what waits now. Resolves also if that failed, which {@link replication} tells. */
  ship(): Promise<void> {
    return this.#shipper.ship();
  }

  /** Whether answers wait until the target has what they state. */
  get isAcknowledged(): boolean {
    return this.#shipper.mode === 'acknowledged';
  }

  /**
   * Resolves once the target has every commit so far.
   * @throws {AgentkeepError} `replica_unavailable` if that takes too long; `replica_fenced`.
   */
  delivered(): Promise<void> {
    return this.#shipper.delivered(this.#frames.tip.position);
  }

  /** As {@link Store.read}. */
  read<T>(body: (tx: SnapshotTx) => T): Promise<T> {
    return this.#store.read(body);
  }

  /** As {@link Store.transact}. Does not wait for the target: {@link delivered} does. */
  transact<T>(body: (tx: WriteTx) => T): Promise<T> {
    if (this.#closing !== undefined) return Promise.reject(new AgentkeepError('store_closed'));
    return this.#store.transact(body);
  }

  /** As {@link Store.hold}. */
  hold(): Promise<HeldState> {
    return this.#store.hold();
  }

  /** As {@link Store.backup}. */
  backup(directory: string): Promise<void> {
    return this.#store.backup(directory);
  }

  /** As {@link Store.stats}. */
  stats(): Promise<StoreStats> {
    return this.#store.stats();
  }

  /** As {@link Store.waiting}. */
  waiting(): Promise<number> {
    return this.#store.waiting();
  }

  /** As {@link Store.scan}. */
  scan(visit: (entry: Entry) => void): Promise<void> {
    return this.#store.scan(visit);
  }

  /** Sends what waits, for a few seconds at most, and closes the store. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    // Runs after every accepted transaction, so that their commits are sent too.
    await this.#store.transact(() => undefined).catch(() => undefined);
    await this.#shipper.stop();
    await this.#store.close();
  }
}
