/**
 * Choices that a seed repeats.
 */
import { type Random, randomFrom } from '../random.js';

/** One stream of choices. */
export class Dice {
  readonly #random: Random;

  constructor(seed: number) {
    this.#random = randomFrom(seed);
    // Seeds close to each other have similar first numbers.
    for (let count = 0; count < 4; count += 1) this.#random(2);
  }

  /** A number from 0 up to but not including `end`. */
  below(end: number): number {
    return this.#random(end);
  }

  /** Returns `true` this often in a hundred. */
  isLucky(percent: number): boolean {
    return this.#random(100) < percent;
  }

  /** Draws one item. */
  one<T>(of: readonly T[]): T {
    return of[this.#random(of.length)]!;
  }

  /** Draws one item, the first in most cases. */
  mostly<T>(of: readonly T[]): T {
    return this.isLucky(70) ? of[0]! : this.one(of);
  }

  /** Draws one item, or `undefined` from an empty list. */
  any<T>(of: readonly T[]): T | undefined {
    return of[this.#random(of.length)];
  }

  /** Draws each item with one chance in two, in order. */
  some<T>(of: readonly T[]): T[] {
    return of.filter(() => this.isLucky(50));
  }
}
