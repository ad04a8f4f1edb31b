/**
 * The queue of bodies that write. Once per turn of the event loop they are run and parted into
 * batches, one tenant each; batches that have nothing to do with each other are under way at once,
 * and a body that touches what one of them writes waits for it.
 * @module
 */
import type { WriteTx } from '@agentkeep/core/store';
import { Batch, type RanBody, type Waiting } from './batch.js';
import type { Committer } from './committer.js';
import { storeFailure } from './failure.js';
import type { GuessCache } from './guess-cache.js';
import { Knowledge } from './knowledge.js';
import { type Lane, newLane } from './lane.js';
import { LOCKS_MAX, LockSet } from './lock-set.js';

/** Most bodies in a batch, so that one batch holds the event loop only for milliseconds. */
const BATCH_BODIES_MAX = 256;

/** Bytes of writes after which a batch takes no further body. */
const BATCH_BYTES_MAX = 8_388_608;

/** Bodies that one turn looks at. */
const TURN_BODIES_MAX = 512;

/** A body in the queue. */
interface Queued extends Waiting {
  /** The batch that it waits for, and the locks that it would take. */
  behind: { readonly batch: Batch<Queued>; readonly locks: LockSet } | undefined;
}

/** A batch that is being put together, for the lane that will take it. */
interface Draft {
  readonly batch: Batch<Queued>;
  readonly lane: Lane;
}

/** What a turn has come to so far. */
interface Turn {
  /** By tenant. */
  readonly drafts: Map<string, Draft>;
  /** Locks of bodies that have to wait; whoever comes later does not overtake them. */
  readonly ahead: LockSet;
  /** The draft that the last body went into. */
  last: Draft | undefined;
}

/** The queue of one store. */
export class CommitQueue {
  readonly #committer: Committer;
  readonly #guesses: GuessCache;
  readonly #freeLanes: Lane[];
  readonly #underWay = new Set<Batch<Queued>>();
  #waiting: Queued[] = [];
  #isScheduled = false;

  constructor(committer: Committer, guesses: GuessCache, lanes: number) {
    this.#committer = committer;
    this.#guesses = guesses;
    this.#freeLanes = Array.from({ length: lanes }, newLane);
  }

  /** Queues a body; answers after the commit that its writes are in. */
  submit<T>(body: (tx: WriteTx) => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      // The result of a body goes to its own caller, so its type holds.
      const answer = resolve as (value: unknown) => void;
      this.#waiting.push({ body, resolve: answer, reject, behind: undefined });
      this.#schedule();
    });
  }

  /** The lanes, once nothing is under way. */
  get lanes(): readonly Lane[] {
    return this.#freeLanes;
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
    const turn: Turn = { drafts: new Map(), ahead: new LockSet(), last: undefined };
    const looked = this.#waiting.slice(0, TURN_BODIES_MAX);
    const left = looked.filter((queued) => !this.#place(turn, queued));
    this.#waiting = [...left, ...this.#waiting.slice(TURN_BODIES_MAX)];
    for (const draft of turn.drafts.values()) void this.#commit(draft);
  }

  /** Puts a body into a draft; returns whether it did. What is left waits for a batch to end. */
  #place(turn: Turn, queued: Queued): boolean {
    const { behind } = queued;
    if (behind !== undefined && this.#underWay.has(behind.batch)) {
      turn.ahead.addAll(behind.locks);
      return false;
    }
    if (turn.drafts.size === 0 && this.#freeLanes.length === 0) return false;
    const { ran, draft, batch } = this.#run(turn, queued);
    const rival = this.#rivalOf(turn, ran.locks, draft) ?? (isFull(batch, ran) ? batch : undefined);
    const lane = draft?.lane ?? this.#freeLanes.at(-1);
    if (rival !== undefined || lane === undefined || turn.ahead.conflictsWith(ran.locks)) {
      queued.behind = rival && { batch: rival, locks: ran.locks };
      turn.ahead.addAll(ran.locks);
      return false;
    }
    if (draft === undefined) this.#freeLanes.pop();
    turn.last = draft ?? { batch, lane };
    turn.drafts.set(ran.tenant, turn.last);
    batch.take(ran);
    return true;
  }

  /** Runs a body on the draft of its tenant: first on the last one, which it mostly is. */
  #run(turn: Turn, queued: Queued) {
    const guess = turn.last?.batch ?? this.#newBatch();
    const ran = guess.run(queued);
    const draft = turn.drafts.get(ran.tenant);
    if (draft === turn.last) return { ran, draft, batch: guess };
    const batch = draft?.batch ?? this.#newBatch();
    // What another tenant's draft wrote it must not have seen, so its tenant is what it was.
    return { ran: { ...batch.run(queued), tenant: ran.tenant }, draft, batch };
  }

  #newBatch(): Batch<Queued> {
    return new Batch(new Knowledge(this.#guesses));
  }

  /** A batch under way, or the draft of another tenant, that these locks would have to wait for. */
  #rivalOf(turn: Turn, locks: LockSet, own: Draft | undefined): Batch<Queued> | undefined {
    for (const batch of this.#underWay) if (batch.locks.conflictsWith(locks)) return batch;
    for (const draft of turn.drafts.values()) {
      if (draft !== own && draft.batch.locks.conflictsWith(locks)) return draft.batch;
    }
    return undefined;
  }

  async #commit({ batch, lane }: Draft): Promise<void> {
    this.#underWay.add(batch);
    let next = lane;
    try {
      (await this.#committer.commit(batch, lane)).answer();
    } catch (error) {
      // Where its lane stands is not known for sure, so nothing is sent on it any more.
      next = newLane();
      for (const { reject } of batch.waiting) reject(storeFailure(error));
    }
    this.#underWay.delete(batch);
    this.#freeLanes.push(next);
    this.#schedule();
  }
}

function isFull(batch: Batch<Queued>, { locks }: RanBody<Queued>): boolean {
  if (batch.size === 0) return false;
  const isLarge = batch.size >= BATCH_BODIES_MAX || batch.sizeBytes >= BATCH_BYTES_MAX;
  return isLarge || batch.locks.size + locks.without(batch.locks).size > LOCKS_MAX;
}
