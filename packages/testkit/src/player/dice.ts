/**
 * Choices that follow from a seed.
 */
import { type Random, randomFrom } from '../random.js';

/** One stream of choices. */
export class Dice {
  readonly #random: Random;

  constructor(seed: number) {
    this.#random = randomFrom(seed);
    // The first numbers of seeds that are close to each other are alike.
    for (let count = 0; count < 4; count += 1) this.#random(2);
  }

  /** A number from 0 up to but not including `end`. */
  below(end: number): number {
    return this.#random(end);
  }

  /** Whether something comes up that has so many chances in a hundred. */
  isLucky(percent: number): boolean {
    return this.#random(100) < percent;
  }

  /** One of several. */
  one<T>(of: readonly T[]): T {
    return of[this.#random(of.length)]!;
  }

  /** One of several, the first more often than all others together. */
  mostly<T>(of: readonly T[]): T {
    return this.isLucky(70) ? of[0]! : this.one(of);
  }

  /** One of several, if there are any. */
  any<T>(of: readonly T[]): T | undefined {
    return of[this.#random(of.length)];
  }

  /** Some of several, in their order. */
  some<T>(of: readonly T[]): T[] {
    return of.filter(() => this.isLucky(50));
  }
}
