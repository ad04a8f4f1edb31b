/**
 * Random choices that follow from a seed.
 * @module
 */
import { type Random, randomFrom } from '@agentkeep/testkit/random';

/** Chooses; the same seed chooses the same. */
export class Chooser {
  readonly #random: Random;

  constructor(seed: number) {
    this.#random = randomFrom(seed);
    // Neighbouring seeds give neighbouring first numbers.
    for (let turn = 0; turn < 8; turn += 1) this.#random(2);
  }

  /** A whole number from 0 up to but not including `end`. */
  below(end: number): number {
    return this.#random(end);
  }

  /** A whole number between two, both included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.fraction() * (most - least + 1));
  }

  /** A number from 0 up to but not including 1. */
  fraction(): number {
    return this.#random(0x1_0000_0000) / 0x1_0000_0000;
  }

  /** `true` as often as `share` says. */
  chance(share: number): boolean {
    return this.fraction() < share;
  }

  /**
   * One of some.
   * @throws {RangeError} when there is none.
   */
  pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new RangeError('There is nothing to choose from.');
    return items[this.below(items.length)] as T;
  }

  /** One of some, each as often as its weight says. */
  weighted<T>(items: readonly T[], weightOf: (item: T) => number): T {
    let left = this.fraction() * items.reduce((sum, item) => sum + weightOf(item), 0);
    return items.find((item) => (left -= weightOf(item)) < 0) ?? this.pick(items);
  }

  /** Bytes that are as random as the choices. */
  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.below(256));
  }

  /** Lower-case hexadecimal digits. */
  hex(length: number): string {
    return Array.from({ length }, () => this.below(16).toString(16)).join('');
  }

  /** An id of version 7 that nothing has. */
  uuid(): string {
    return `${this.hex(8)}-${this.hex(4)}-7${this.hex(3)}-8${this.hex(3)}-${this.hex(12)}`;
  }
}
