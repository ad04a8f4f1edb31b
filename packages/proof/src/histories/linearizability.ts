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
  /** The state after an event; `undefined` if the event cannot happen in this state. */
  next(state: S, event: E): S | undefined;
  /** Differs for states that differ. */
  keyOf(state: S): string;
}

/** Whether there is such an order. Takes long only where many calls without an answer overlap. */
export function isLinearizable<S, E>(
  model: SequentialModel<S, E>,
  operations: readonly Operation<E>[],
): boolean {
  const search = new Search(model, operations);
  const path = [search.choices(model.initial)];
  for (;;) {
    if (search.isDone) return true;
    const step = path.at(-1)?.next();
    if (step === undefined) return false;
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
    const latestCall = Math.max(...this.#takenApart(), this.#callBeforeFirst());
    const possible = this.#uncertain.filter(
      (each) => !this.#taken.has(each) && each.endsAt > latestCall,
    );
    return [...due, ...possible].filter(({ calledAt }) => calledAt < soonestEnd);
  }

  /** Whether these operations have not led to this state before; it is then remembered. */
  #isNew(state: S): boolean {
    const key = `${this.#first} ${this.#takenApart().join(',')} ${this.#model.keyOf(state)}`;
    const isNew = !this.#seen.has(key);
    this.#seen.add(key);
    return isNew;
  }

  /** When the taken operations that are not among the first certain ones were called. */
  #takenApart(): number[] {
    const apart = [...this.#uncertain, ...this.#window()];
    return apart.filter((each) => this.#taken.has(each)).map(({ calledAt }) => calledAt);
  }

  /** The call of the last of the first certain operations. */
  #callBeforeFirst(): number {
    return this.#certain[this.#first - 1]?.calledAt ?? -Infinity;
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
