/**
 * Bodies that are committed together. Each runs on the writes of the ones before it. Its own writes
 * stay separate until it is added to the batch.
 */
import {
  type AppendedEntry,
  keyBytes,
  keyText,
  Overlay,
  POSITION_BYTES,
  runWriteBody,
  type WriteTx,
} from '@agentkeep/core/store';
import type { Knowledge } from '../guesses/knowledge.js';
import { LockSet, tenantOf } from '../locks/lock-set.js';
import { Trace } from '../guesses/trace.js';

/** A body with its caller. */
export interface Waiting {
  readonly body: (tx: WriteTx) => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** A body that has run but has not been added to its batch. */
export interface RanBody<W extends Waiting = Waiting> {
  readonly waiting: W;
  readonly trace: Trace;
  readonly locks: LockSet;
  /** The tenant of its keys; empty for the installation. */
  readonly tenant: string;
  /** Makes its writes visible to the next body. */
  readonly apply: () => void;
  /** Settles the promise of its caller. */
  readonly answer: () => void;
}

/** Bodies with everything that they read and write. */
export class Batch<W extends Waiting = Waiting> {
  /** What the bodies read from the store. */
  readonly trace: Trace;
  readonly locks = new LockSet();
  readonly knowledge: Knowledge;
  readonly #bodies: RanBody<W>[] = [];
  readonly #state: Overlay;
  /** Records the reads of the body that is running. */
  #current: Trace;

  constructor(knowledge: Knowledge) {
    this.knowledge = knowledge;
    this.trace = new Trace(knowledge);
    this.#current = this.trace;
    const base = {
      get: (key: Uint8Array) => this.#current.get(key),
      range: (range: Parameters<Trace['range']>[0]) => this.#current.range(range),
    };
    // The writes of a body are copies already.
    this.#state = new Overlay(base, (value) => value);
  }

  /** Runs bodies in order, each on the writes of the ones before it. */
  static of<W extends Waiting>(knowledge: Knowledge, waiting: readonly W[]): Batch<W> {
    const batch = new Batch<W>(knowledge);
    for (const each of waiting) batch.take(batch.run(each));
    return batch;
  }

  /** Number of bodies. */
  get size(): number {
    return this.#bodies.length;
  }

  /** The bodies with their callers. */
  get waiting(): W[] {
    return this.#bodies.map(({ waiting }) => waiting);
  }

  /** Bytes of all writes. */
  get sizeBytes(): number {
    return this.#state.sizeBytes;
  }

  /** The last value of each written key; `undefined` if the key is removed. */
  writes(): Map<string, Uint8Array | undefined> {
    const writes = new Map<string, Uint8Array | undefined>();
    this.#state.applyTo({
      put: (text, value) => writes.set(text, value),
      remove: (text) => writes.set(text, undefined),
    });
    return writes;
  }

  /** Entries that the bodies append, in order. */
  get appended(): readonly AppendedEntry[] {
    return this.#state.appended;
  }

  /** Returns whether reads walk through entries that this batch appends, and so cannot see. */
  hidesFrom({ walks }: Trace): boolean {
    const prefixes = new Set(this.appended.map(({ prefix }) => keyText(prefix)));
    return [...prefixes].some((prefix) =>
      [...walks.values()].some(({ span }) => {
        const isBelow = keyText(span.from) < `${prefix}\u00ff${'\u00ff'.repeat(POSITION_BYTES)}`;
        return isBelow && keyText(span.to) > prefix;
      }),
    );
  }

  /** Runs a body on the writes of the batch so far. */
  run(waiting: W): RanBody<W> {
    const trace = new Trace(this.knowledge);
    const overlay = new Overlay(this.#state);
    this.#current = trace;
    let answer: () => void;
    let isDropped = false;
    try {
      const result = runWriteBody(overlay, waiting.body);
      answer = () => waiting.resolve(result);
    } catch (error) {
      answer = () => waiting.reject(error);
      isDropped = true;
    }
    return {
      waiting,
      trace,
      answer,
      ...footprint(trace, isDropped ? undefined : overlay),
      apply: () => {
        if (!isDropped) this.#apply(overlay);
      },
    };
  }

  /** Adds the body that ran last. */
  take(ran: RanBody<W>): void {
    ran.apply();
    this.trace.add(ran.trace);
    this.locks.addAll(ran.locks);
    this.#bodies.push(ran);
  }

  /** Settles the promises of all callers. */
  answer(): void {
    for (const body of this.#bodies) body.answer();
  }

  #apply(overlay: Overlay): void {
    overlay.applyTo({
      put: (text, value) => this.#state.put(keyBytes(text), value),
      remove: (text) => this.#state.remove(keyBytes(text)),
    });
    for (const { prefix, value } of overlay.appended) this.#state.append(prefix, value);
  }
}

function footprint(trace: Trace, overlay: Overlay | undefined) {
  const locks = new LockSet();
  let tenant = '';
  const meet = (text: string): void => {
    if (tenant === '') tenant = tenantOf(text);
  };
  const write = (text: string): void => {
    locks.addWrite(text);
    meet(text);
  };
  overlay?.applyTo({ put: write, remove: write });
  for (const { prefix } of overlay?.appended ?? []) {
    locks.addAppend(keyText(prefix));
    meet(keyText(prefix));
  }
  for (const text of trace.points.keys()) {
    locks.addRead(text);
    meet(text);
  }
  for (const { span } of trace.walks.values()) locks.addSpan(span.from, span.to);
  return { locks, tenant };
}
