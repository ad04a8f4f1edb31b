/** Random choices, determined by a seed. */
import { type Random, randomFrom } from '@agentkeep/testkit/random';

/** Makes random choices. Equal seeds give equal choices. */
export class Chooser {
  readonly #random: Random;

  constructor(seed: number) {
    this.#random = randomFrom(seed);
    // Adjacent seeds give similar first numbers, so the first ones are skipped.
    for (let turn = 0; turn < 8; turn += 1) this.#random(2);
  }

  /** Returns an integer from 0 up to but not including `end`. */
  below(end: number): number {
    return this.#random(end);
  }

  /** Returns an integer between two others, both inclusive. */
  between(least: number, most: number): number {
    return least + Math.floor(this.fraction() * (most - least + 1));
  }

  /** Returns a number from 0 up to but not including 1. */
  fraction(): number {
    return this.#random(0x1_0000_0000) / 0x1_0000_0000;
  }

  /** Returns `true` with the probability `share`. */
  chance(share: number): boolean {
    return this.fraction() < share;
  }

  /**
   * Returns one of the items.
   * @throws {RangeError} There are no items.
   */
  pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new RangeError('There are no items to choose from.');
    return items[this.below(items.length)] as T;
  }

  /** Returns one of the items, with a probability proportional to its weight. */
  weighted<T>(items: readonly T[], weightOf: (item: T) => number): T {
    let left = this.fraction() * items.reduce((sum, item) => sum + weightOf(item), 0);
    return items.find((item) => (left -= weightOf(item)) < 0) ?? this.pick(items);
  }

  /** Returns random bytes. */
  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.below(256));
  }

  /** Returns lower-case hexadecimal digits. */
  hex(length: number): string {
    return Array.from({ length }, () => this.below(16).toString(16)).join('');
  }

  /** Returns an unused id, a UUID of version 7. */
  uuid(): string {
    return `${this.hex(8)}-${this.hex(4)}-7${this.hex(3)}-8${this.hex(3)}-${this.hex(12)}`;
  }
}
