/** Bounds how many of something are open, in all, for each tenant and for each caller. */

/** The bounds. */
export interface SlotBounds {
  readonly all: number;
  readonly tenant: number;
  readonly caller: number;
}

/** Who holds the slot. */
export interface SlotHolder {
  readonly tenant: string;
  readonly caller: string;
}

/** Counts the slots that are taken. */
export class Slots {
  readonly #bounds: SlotBounds;
  /** By the name of the group. */
  readonly #taken = new Map<string, number>();

  constructor(bounds: SlotBounds) {
    this.#bounds = bounds;
  }

  /** Takes a slot and returns a function that releases it; `undefined` if none is free. */
  take({ tenant, caller }: SlotHolder): (() => void) | undefined {
    const bounds = this.#bounds;
    // No tenant has a zero byte in its name, so no two groups share a name.
    const groups = [
      { name: '\0', max: bounds.all },
      { name: tenant, max: bounds.tenant },
      { name: `${tenant}\0${caller}`, max: bounds.caller },
    ];
    if (groups.some(({ name, max }) => this.#countOf(name) >= max)) return undefined;
    for (const { name } of groups) this.#taken.set(name, this.#countOf(name) + 1);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      for (const { name } of groups) this.#giveBack(name);
    };
  }

  #countOf(name: string): number {
    return this.#taken.get(name) ?? 0;
  }

  #giveBack(name: string): void {
    const left = this.#countOf(name) - 1;
    if (left === 0) this.#taken.delete(name);
    else this.#taken.set(name, left);
  }
}
