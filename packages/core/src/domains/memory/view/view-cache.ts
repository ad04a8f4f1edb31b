/** Views that are held between calls, the least recently used first to go. */
import { Port } from '../../../kernel/ports/port.js';
import type { MemoryView } from './memory-view.js';

/** States of memory at earlier positions. */
export const heldViews = new Port<ViewCache>('heldViews');

/** Memory that views take between calls. */
export const VIEW_CACHE_BYTES = 67_108_864;

/** Other names of views; the oldest ones are forgotten. */
const ALIASES_MAX = 1_024;

/** Holds views up to a bound of their memory in all. */
export class ViewCache {
  readonly #maxBytes: number;
  readonly #aliases = new Map<string, string>();
  readonly #views = new Map<string, MemoryView>();
  #newest = '';

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Returns the view of a name or alias, and marks it as the most recently used. */
  find(called: string): MemoryView | undefined {
    const name = this.#aliases.get(called) ?? called;
    const view = this.#views.get(name);
    if (view === undefined || name === this.#newest) return view;
    this.#views.delete(name);
    this.#views.set(name, view);
    this.#newest = name;
    return view;
  }

  /** Drops all views, because what they show was erased. */
  clear(): void {
    this.#aliases.clear();
    this.#views.clear();
  }

  /**
   * Holds a view, also under an alias, and drops others until all fit; one that is too large alone
   * is not held.
   */
  hold(name: string, alias: string, view: MemoryView): void {
    if (alias !== name) this.#aliases.set(alias, name);
    for (const oldest of this.#aliases.keys()) {
      if (this.#aliases.size <= ALIASES_MAX) break;
      this.#aliases.delete(oldest);
    }
    this.#views.delete(name);
    this.#views.set(name, view);
    this.#newest = name;
    // Views grow while they are held, so they are added up.
    let bytes = 0;
    for (const each of this.#views.values()) bytes += each.bytes;
    for (const [other, each] of this.#views) {
      if (bytes <= this.#maxBytes) return;
      this.#views.delete(other);
      bytes -= each.bytes;
    }
  }
}
