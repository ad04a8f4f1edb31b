/**
 * Decides whether overlapping calls on one object are linearizable: whether an order exists that
 * respects time and explains all answers (the search of Wing and Gong, with the memory of Lowe).
 */

/** A call on one object. Times are distinct positions in the history. */
export interface Operation<E> {
  readonly event: E;
  readonly calledAt: number;
  /** Latest time of its effect; `Infinity` if unknown. */
  readonly endsAt: number;
  /** Whether it certainly happened. A call without an answer may never have happened. */
  readonly isCertain: boolean;
}

/** The sequential behaviour of one object. */
export interface SequentialModel<S, E> {
  readonly initial: S;
  /**
   * Returns the state after an event, or `undefined` if the event cannot happen in this state. An
   * uncertain event happens at most once.
   */
  next(state: S, event: E): S | undefined;
  /**
   * Returns a text that identifies the state. States with different behaviour have different texts.
   */
  keyOf(state: S): string;
}

/** Result of a search; `undecided` if there are too many states to try. */
export type Verdict = 'explained' | 'contradictory' | 'undecided';

/** Most states of a search; enough for histories in which most calls were answered. */
const STATES_MAX = 20_000;

/** Searches for an order, up to a number of different states. */
export function judge<S, E>(
  model: SequentialModel<S, E>,
  operations: readonly Operation<E>[],
  statesMax = STATES_MAX,
): Verdict {
  const search = new Search(model, operations);
  const path = [search.choices(model.initial)];
  for (;;) {
    if (search.isDone) return 'explained';
    if (search.states > statesMax) return 'undecided';
    const step = path.at(-1)?.next();
    if (step === undefined) return 'contradictory';
    if (step.done === true) path.pop();
    else path.push(search.choices(step.value));
  }
}

/** The order so far. Choices undo themselves when the search backtracks. */
class Search<S, E> {
  readonly #model: SequentialModel<S, E>;
  readonly #certain: readonly Operation<E>[];
  readonly #uncertain: readonly Operation<E>[];
  readonly #taken = new Set<Operation<E>>();
  readonly #seen = new Set<string>();
  /** All certain operations before this index are in the order. */
  #first = 0;

  constructor(model: SequentialModel<S, E>, operations: readonly Operation<E>[]) {
    const inOrder = [...operations].sort((one, other) => one.calledAt - other.calledAt);
    this.#model = model;
    this.#certain = inOrder.filter(({ isCertain }) => isCertain);
    this.#uncertain = inOrder.filter(({ isCertain }) => !isCertain);
  }

  /** Whether all certain operations are in the order. */
  get isDone(): boolean {
    return this.#first === this.#certain.length;
  }

  /** Number of different states reached. */
  get states(): number {
    return this.#seen.size;
  }

  /** Yields every new state that is one operation away. */
  *choices(state: S): Generator<S, void> {
    const first = this.#first;
    for (const operation of this.#candidates()) {
      const next = this.#model.next(state, operation.event);
      if (next === undefined) continue;
      this.#taken.add(operation);
      while (this.#taken.has(this.#certain[this.#first]!)) this.#first += 1;
      if (this.#isNew(next)) yield next;
      this.#taken.delete(operation);
      this.#first = first;
    }
  }

  /** Returns the possible next operations: those called before all pending ones had ended. */
  #candidates(): Operation<E>[] {
    const due = this.#window().filter((each) => !this.#taken.has(each));
    const soonestEnd = Math.min(...due.map(({ endsAt }) => endsAt));
    const latestCall = this.#latestCall();
    const possible = this.#uncertain.filter(
      (each) => !this.#taken.has(each) && each.endsAt > latestCall,
    );
    return [...due, ...possible].filter(({ calledAt }) => calledAt < soonestEnd);
  }

  /** Whether the same operations have not led to this state before; records them. */
  #isNew(state: S): boolean {
    const apart = this.#window().flatMap((each, at) => (this.#taken.has(each) ? [at] : []));
    const latestCall = this.#latestCall();
    const over = this.#uncertain.filter(({ endsAt }) => endsAt <= latestCall).length;
    const key = `${this.#first} ${apart.join(',')} ${over} ${this.#model.keyOf(state)}`;
    const isNew = !this.#seen.has(key);
    this.#seen.add(key);
    return isNew;
  }

  /** Call time of the last operation in the order. */
  #latestCall(): number {
    const apart = [...this.#uncertain, ...this.#window()].filter((each) => this.#taken.has(each));
    const before = this.#certain[this.#first - 1]?.calledAt ?? -Infinity;
    return Math.max(before, ...apart.map(({ calledAt }) => calledAt));
  }

  /** Returns the certain operations that overlap with the first one that is not in the order. */
  #window(): Operation<E>[] {
    const window: Operation<E>[] = [];
    const end = this.#certain[this.#first]?.endsAt ?? -Infinity;
    for (let at = this.#first; at < this.#certain.length; at += 1) {
      const each = this.#certain[at]!;
      if (each.calledAt > end) break;
      window.push(each);
    }
    return window;
  }
}
