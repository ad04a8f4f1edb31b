/**
 * The queue of bodies that write. Once per turn of the event loop they run and are divided into
 * batches, one tenant each. Unrelated batches commit concurrently. A body that conflicts with a
 * batch in progress waits for it.
 */
import { setImmediate } from 'node:timers';
import type { CommitCounts, WriteTx } from '@agentkeep/core/store';
import { Batch, type RanBody, type Waiting } from './batch.js';
import type { Committer } from './committer.js';
import { storeFailure } from '../database/failure.js';
import type { GuessCache } from '../guesses/guess-cache.js';
import { Knowledge } from '../guesses/knowledge.js';
import { type Lane, newLane } from '../database/lane.js';
import { LOCKS_MAX, LockSet } from '../locks/lock-set.js';

/** Most bodies in a batch, so that one batch blocks the event loop only for milliseconds. */
const COMMIT_BODIES_MAX = 256;

/** Bytes of writes after which a batch accepts no more bodies. */
const COMMIT_BYTES_MAX = 8_388_608;

/** Most bodies that one turn considers. */
const TURN_BODIES_MAX = 512;

/** A body in the queue. */
interface Queued extends Waiting {
  /** The batch that it waits for, and the locks that it needs. */
  behind: { readonly batch: Batch<Queued>; readonly locks: LockSet } | undefined;
}

/** A batch that is being assembled, with its lane. */
interface Draft {
  readonly batch: Batch<Queued>;
  readonly lane: Lane;
}

/** State of one turn. */
interface Turn {
  /** By tenant. */
  readonly drafts: Map<string, Draft>;
  /** Locks of bodies that must wait. Later bodies that need them must wait too. */
  readonly ahead: LockSet;
  /** The draft that the last body went into. */
  last: Draft | undefined;
}

/** The queue of one store. */
export class CommitQueue {
  readonly #committer: Committer;
  readonly #guesses: GuessCache;
  readonly #freeLanes: Lane[];
  readonly #inProgress = new Set<Batch<Queued>>();
  #waiting: Queued[] = [];
  #isScheduled = false;
  readonly #counts = { commits: 0, bodies: 0, failures: 0 };

  constructor(committer: Committer, guesses: GuessCache, lanes: number) {
    this.#committer = committer;
    this.#guesses = guesses;
    this.#freeLanes = Array.from({ length: lanes }, newLane);
  }

  /** Queues a body. Resolves after the commit of its writes. */
  submit<T>(body: (tx: WriteTx) => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      // The result of a body goes to its own caller, so its type holds.
      const answer = resolve as (value: unknown) => void;
      this.#waiting.push({ body, resolve: answer, reject, behind: undefined });
      this.#schedule();
    });
  }

  /** All lanes, once no batch is in progress. */
  get lanes(): readonly Lane[] {
    return this.#freeLanes;
  }

  /** The commits so far. */
  get counts(): CommitCounts {
    return { ...this.#counts };
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
    const considered = this.#waiting.slice(0, TURN_BODIES_MAX);
    const left = considered.filter((queued) => !this.#addTo(turn, queued));
    this.#waiting = [...left, ...this.#waiting.slice(TURN_BODIES_MAX)];
    for (const draft of turn.drafts.values()) void this.#commit(draft);
  }

  /** Adds a body to a draft. Returns false if the body must wait for a batch to end. */
  #addTo(turn: Turn, queued: Queued): boolean {
    const { behind } = queued;
    if (behind !== undefined && this.#inProgress.has(behind.batch)) {
      turn.ahead.addAll(behind.locks);
      return false;
    }
    if (turn.drafts.size === 0 && this.#freeLanes.length === 0) return false;
    const { ran, draft, batch } = this.#run(turn, queued);
    const isLate = isFull(batch, ran) || batch.hidesFrom(ran.trace);
    const conflict = this.#conflictOf(turn, ran.locks, draft) ?? (isLate ? batch : undefined);
    const lane = draft?.lane ?? this.#freeLanes.at(-1);
    if (conflict !== undefined || lane === undefined || turn.ahead.conflictsWith(ran.locks)) {
      queued.behind = conflict && { batch: conflict, locks: ran.locks };
      turn.ahead.addAll(ran.locks);
      return false;
    }
    if (draft === undefined) this.#freeLanes.pop();
    turn.last = draft ?? { batch, lane };
    turn.drafts.set(ran.tenant, turn.last);
    batch.take(ran);
    return true;
  }

  /** Runs a body on the draft of its tenant. Tries the last draft first, which usually fits. */
  #run(turn: Turn, queued: Queued) {
    const guess = turn.last?.batch ?? this.#newBatch();
    const ran = guess.run(queued);
    const draft = turn.drafts.get(ran.tenant);
    if (draft === turn.last) return { ran, draft, batch: guess };
    const batch = draft?.batch ?? this.#newBatch();
    // The first run saw another tenant's writes. The tenant of its keys is still valid.
    return { ran: { ...batch.run(queued), tenant: ran.tenant }, draft, batch };
  }

  #newBatch(): Batch<Queued> {
    return new Batch(new Knowledge(this.#guesses));
  }

  /** Returns a batch in progress, or the draft of another tenant, that holds conflicting locks. */
  #conflictOf(turn: Turn, locks: LockSet, own: Draft | undefined): Batch<Queued> | undefined {
    for (const batch of this.#inProgress) if (batch.locks.conflictsWith(locks)) return batch;
    for (const draft of turn.drafts.values()) {
      if (draft !== own && draft.batch.locks.conflictsWith(locks)) return draft.batch;
    }
    return undefined;
  }

  async #commit({ batch, lane }: Draft): Promise<void> {
    this.#inProgress.add(batch);
    let next = lane;
    try {
      const committed = await this.#committer.commit(batch, lane);
      this.#counts.commits += 1;
      this.#counts.bodies += committed.size;
      committed.answer();
    } catch (error) {
      this.#counts.failures += 1;
      // The last commit of its lane is unknown, so the lane is never used again.
      next = newLane();
      for (const { reject } of batch.waiting) reject(storeFailure(error));
    }
    this.#inProgress.delete(batch);
    this.#freeLanes.push(next);
    this.#schedule();
  }
}

function isFull(batch: Batch<Queued>, { locks }: RanBody<Queued>): boolean {
  if (batch.size === 0) return false;
  const isLarge = batch.size >= COMMIT_BODIES_MAX || batch.sizeBytes >= COMMIT_BYTES_MAX;
  return isLarge || batch.locks.size + locks.without(batch.locks).size > LOCKS_MAX;
}
