/**
 * The buckets of one policy by client, bounded in number. When the table is full, the fullest
 * bucket is dropped, even if it is the newcomer's; its client restarts with a full bucket. So any
 * number of clients that took little can't displace one that took much.
 */
import type { RateLimitPolicy } from './rate-limit-policy.js';
import {
  fullAtMs,
  type RateLimitDecision,
  takeTokens,
  type TokenBucket,
} from './token-bucket-policy.js';

/** A heap of items by the time at which they are full, earliest first. */
class FullnessHeap<T> {
  readonly #items: T[] = [];
  // Parallel to the items, so that moves compare numbers that are adjacent in memory.
  readonly #ranksMs: number[] = [];

  /** The fullest item. */
  get top(): T | undefined {
    return this.#items[0];
  }

  /** Time at which the top item is full, as far as the heap knows; infinite when empty. */
  get topRankMs(): number {
    return this.#ranksMs[0] ?? Infinity;
  }

  /** Adds an item that is full at `rankMs`, in milliseconds. */
  push(item: T, rankMs: number): void {
    let at = this.#items.length;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (this.#rankAt(above) <= rankMs) break;
      this.#move(above, at);
      at = above;
    }
    this.#items[at] = item;
    this.#ranksMs[at] = rankMs;
  }

  /** Removes the fullest item. */
  pop(): void {
    const item = this.#items.pop();
    const rankMs = this.#ranksMs.pop();
    if (item === undefined || rankMs === undefined || this.#items.length === 0) return;
    this.#sink(item, rankMs);
  }

  /** Gives the top item a later rank and restores the order. */
  demote(rankMs: number): void {
    const item = this.#items[0];
    if (item !== undefined) this.#sink(item, rankMs);
  }

  /** Sinks an item from the top, replacing the item there. */
  #sink(item: T, rankMs: number): void {
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (this.#rankAt(below + 1) < this.#rankAt(below)) below += 1;
      if (this.#rankAt(below) >= rankMs) break;
      this.#move(below, at);
      at = below;
    }
    this.#items[at] = item;
    this.#ranksMs[at] = rankMs;
  }

  /** Returns the rank at an index; infinite beyond the last one, so that no item sinks there. */
  #rankAt(at: number): number {
    return at < this.#ranksMs.length ? (this.#ranksMs[at] ?? Infinity) : Infinity;
  }

  #move(from: number, to: number): void {
    const item = this.#items[from];
    const rankMs = this.#ranksMs[from];
    if (item === undefined || rankMs === undefined) return;
    this.#items[to] = item;
    this.#ranksMs[to] = rankMs;
  }
}

interface Client {
  readonly key: string;
  bucket: TokenBucket;
}

/** Full buckets dropped for each new one, so that they are removed faster than new ones arrive. */
const SWEPT_PER_NEWCOMER = 2;

/** Buckets of one policy. */
export class BucketTable {
  readonly #policy: RateLimitPolicy;
  readonly #clientsMax: number;
  readonly #clients = new Map<string, Client>();
  // Ranks lag behind the tokens taken and are corrected when they reach the top: a known client
  // costs no move in the heap, and each move is paid for by an earlier request.
  readonly #heap = new FullnessHeap<Client>();

  constructor(policy: RateLimitPolicy, clientsMax: number) {
    this.#policy = policy;
    this.#clientsMax = clientsMax;
  }

  /** Returns the policy of these buckets. */
  get policy(): RateLimitPolicy {
    return this.#policy;
  }

  /** Number of buckets. */
  get size(): number {
    return this.#clients.size;
  }

  /** Takes a token for a client. */
  take(clientKey: string, nowMs: number): RateLimitDecision {
    const client = this.#clients.get(clientKey);
    const { bucket, decision } = takeTokens(client?.bucket, this.#policy, nowMs, 1);
    if (client === undefined) this.#insert(clientKey, bucket, nowMs);
    else client.bucket = bucket;
    return decision;
  }

  /** Returns the state that {@link take} would find, without taking. */
  peek(clientKey: string, nowMs: number): RateLimitDecision {
    const bucket = this.#clients.get(clientKey)?.bucket;
    return takeTokens(bucket, this.#policy, nowMs, 0).decision;
  }

  #insert(key: string, bucket: TokenBucket, nowMs: number): void {
    for (let swept = 0; swept < SWEPT_PER_NEWCOMER; swept++) {
      if (this.#earliestFullMs() > nowMs) break;
      this.#dropFullest();
    }
    const rankMs = fullAtMs(bucket, this.#policy);
    if (this.#clients.size >= this.#clientsMax) {
      if (this.#earliestFullMs() > rankMs) return;
      this.#dropFullest();
    }
    const client: Client = { key, bucket };
    this.#clients.set(key, client);
    this.#heap.push(client, rankMs);
  }

  /** Corrects the rank at the top of the heap. Returns when that bucket is full. */
  #earliestFullMs(): number {
    for (;;) {
      const client = this.#heap.top;
      if (client === undefined) return Infinity;
      const rankMs = fullAtMs(client.bucket, this.#policy);
      if (rankMs <= this.#heap.topRankMs) return rankMs;
      this.#heap.demote(rankMs);
    }
  }

  #dropFullest(): void {
    const client = this.#heap.top;
    if (client === undefined) return;
    this.#heap.pop();
    this.#clients.delete(client.key);
  }
}
