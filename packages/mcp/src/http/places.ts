/** Bounds how many of something are open, in all and for each caller. */

/** The bounds. */
export interface PlaceBounds {
  readonly all: number;
  readonly caller: number;
}

/** Counts places that are taken. */
export class Places {
  readonly #bounds: PlaceBounds;
  readonly #taken = new Map<string, number>();
  #all = 0;

  constructor(bounds: PlaceBounds) {
    this.#bounds = bounds;
  }

  /** Takes a place for a caller, and returns what gives it back; `undefined` if none is free. */
  take(caller: string): (() => void) | undefined {
    const taken = this.#taken.get(caller) ?? 0;
    if (this.#all >= this.#bounds.all || taken >= this.#bounds.caller) return undefined;
    this.#taken.set(caller, taken + 1);
    this.#all += 1;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#all -= 1;
      const left = (this.#taken.get(caller) ?? 1) - 1;
      if (left === 0) this.#taken.delete(caller);
      else this.#taken.set(caller, left);
    };
  }
}
