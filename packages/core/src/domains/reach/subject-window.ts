/** The first subjects after a position, while they are found in any order. */
import type { KnownSubject } from './schema.js';

/** A subject whose counts are still added up. */
type Counting = { -readonly [K in keyof KnownSubject]: KnownSubject[K] };

/**
 * Keeps the lowest ids above a position. One that is dropped is above all that stay, so nothing of
 * a kept one is ever lost.
 */
export class SubjectWindow {
  readonly #after: string | undefined;
  readonly #size: number;
  readonly #found = new Map<string, Counting>();
  /** Ids from this one on are dropped. */
  #end: string | undefined;

  constructor({ after, size }: { readonly after: string | undefined; readonly size: number }) {
    this.#after = after;
    this.#size = size;
  }

  /** Returns the subject to count for, or `undefined` outside the window. */
  at(subject_id: string): Counting | undefined {
    const known = this.#found.get(subject_id);
    if (known !== undefined) return known;
    if (this.#after !== undefined && compareIds(subject_id, this.#after) <= 0) return undefined;
    if (this.#end !== undefined && compareIds(subject_id, this.#end) >= 0) return undefined;
    const counts = { live_credentials: 0, ended_credentials: 0, private_scopes: 0 };
    const made: Counting = { subject_id, ...counts, is_blocked: false };
    this.#found.set(subject_id, made);
    if (this.#found.size >= 2 * this.#size) this.#shrink();
    return made;
  }

  /** Returns the subjects of the window in ascending order of id. */
  subjects(): KnownSubject[] {
    this.#shrink();
    return [...this.#found.values()].sort((one, other) =>
      compareIds(one.subject_id, other.subject_id),
    );
  }

  #ordered(): string[] {
    return [...this.#found.keys()].sort(compareIds);
  }

  #shrink(): void {
    const dropped = this.#ordered().slice(this.#size);
    for (const id of dropped) this.#found.delete(id);
    this.#end = dropped[0] ?? this.#end;
  }
}

/** Compares ids in the order of their UTF-8 bytes, as keys are ordered. */
function compareIds(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
