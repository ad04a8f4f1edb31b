/** Views that are held between calls, the least recently used first to go. */
import type { HeldViews } from '../../runtime/ports/memory-scan.js';
import type { MemoryView } from './memory-view.js';

/** Holds views up to a bound of their memory in all. */
export class ViewCache implements HeldViews<MemoryView> {
  readonly #maxBytes: number;
  readonly #views = new Map<string, MemoryView>();

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Returns the view of a name, and marks it as the most recently used. */
  find(name: string): MemoryView | undefined {
    const view = this.#views.get(name);
    if (view === undefined) return undefined;
    this.#views.delete(name);
    this.#views.set(name, view);
    return view;
  }

  /** Holds a view, and drops others until all fit; one that is too large alone is not held. */
  hold(name: string, view: MemoryView): void {
    this.#views.delete(name);
    this.#views.set(name, view);
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
