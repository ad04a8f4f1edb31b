/**
 * Decides whether calls on one object that overlapped in time can be put in an order, in keeping
 * with time, in which one after the other gives the very answers (the search of Wing and Gong, with
 * the memory of Lowe).
 * @module
 */

/** A call on one object. Times are positions in the history, all different. */
export interface Operation<E> {
  readonly event: E;
  readonly calledAt: number;
  /** When it had taken effect at the latest; `Infinity` if nobody can tell. */
  readonly endsAt: number;
  /** Whether it happened for certain; one without an answer may never have happened. */
  readonly isCertain: boolean;
}

/** What one object does when it is asked one thing after the other. */
export interface SequentialModel<S, E> {
  readonly initial: S;
  /**
   * The state after an event; `undefined` if the event cannot happen in this state. What is not
   * certain and has happened cannot happen again, however long ago it was.
   */
  next(state: S, event: E): S | undefined;
  /** Differs for states in which different things can happen. */
  keyOf(state: S): string;
}

/** Whether there is such an order; `undecided` when there is too much to try. */
export type Verdict = 'explained' | 'contradictory' | 'undecided';

/** More than any history needs in which most calls were answered. */
const STATES_MAX = 20_000;

/** Looks for such an order, until it has come to so many different states. */
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

/** What has been put in order so far. Choices take themselves back when they are asked again. */
class Search<S, E> {
  readonly #model: SequentialModel<S, E>;
  readonly #certain: readonly Operation<E>[];
  readonly #uncertain: readonly Operation<E>[];
  readonly #taken = new Set<Operation<E>>();
  readonly #seen = new Set<string>();
  /** All certain operations before this one are taken. */
  #first = 0;

  constructor(model: SequentialModel<S, E>, operations: readonly Operation<E>[]) {
    const inOrder = [...operations].sort((one, other) => one.calledAt - other.calledAt);
    this.#model = model;
    this.#certain = inOrder.filter(({ isCertain }) => isCertain);
    this.#uncertain = inOrder.filter(({ isCertain }) => !isCertain);
  }

  /** Whether everything that happened for certain is in order. */
  get isDone(): boolean {
    return this.#first === this.#certain.length;
  }

  /** How many different states were come to. */
  get states(): number {
    return this.#seen.size;
  }

  /** Every state that one operation more can lead to and that was not tried before. */
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

  /** Operations that may come next: none was called only after another that is due had ended. */
  #candidates(): Operation<E>[] {
    const due = this.#window().filter((each) => !this.#taken.has(each));
    const soonestEnd = Math.min(...due.map(({ endsAt }) => endsAt));
    const latestCall = this.#latestCall();
    const possible = this.#uncertain.filter(
      (each) => !this.#taken.has(each) && each.endsAt > latestCall,
    );
    return [...due, ...possible].filter(({ calledAt }) => calledAt < soonestEnd);
  }

  /** Whether as much has not led to this state before; it is then remembered. */
  #isNew(state: S): boolean {
    const apart = this.#window().flatMap((each, at) => (this.#taken.has(each) ? [at] : []));
    const latestCall = this.#latestCall();
    const over = this.#uncertain.filter(({ endsAt }) => endsAt <= latestCall).length;
    const key = `${this.#first} ${apart.join(',')} ${over} ${this.#model.keyOf(state)}`;
    const isNew = !this.#seen.has(key);
    this.#seen.add(key);
    return isNew;
  }

  /** When the last of the taken operations was called. */
  #latestCall(): number {
    const apart = [...this.#uncertain, ...this.#window()].filter((each) => this.#taken.has(each));
    const before = this.#certain[this.#first - 1]?.calledAt ?? -Infinity;
    return Math.max(before, ...apart.map(({ calledAt }) => calledAt));
  }

  /** The certain operations that overlap with the first that is not taken. */
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
