/**
 * Texts that only one authority may see.
 * @module
 */

/** A text that only one authority may see starts with this. */
export function markOf(authority: string): string {
  return `only-for-${authority}`;
}

/** A marked text as it stands in JSON, up to the end of its string. */
const MARKED = /only-for-(\w+)\b(?:[^"\\]|\\.)*/g;

/** Who may see which marked texts. */
export class Marks {
  readonly #authorities = new Set<string>();
  /** By text as it stands in JSON, where it is not the authority that the mark names. */
  readonly #senders = new Map<string, string>();

  /** Watches for texts of an authority. */
  watch(authority: string): void {
    this.#authorities.add(authority);
  }

  /** Notes a body that an authority sends: the marked texts in it belong to the sender. */
  noteSent(body: Uint8Array, sender: string): void {
    for (const [text, marked] of Buffer.from(body).toString().matchAll(MARKED)) {
      if (marked !== sender) this.#senders.set(text, sender);
    }
  }

  /** The watched authorities, other than the reader, whose texts are in an answer. */
  foreignIn(answer: string, reader: string): string[] {
    const owners = [...answer.matchAll(MARKED)].map(
      ([text, marked = '']) => this.#senders.get(text) ?? marked,
    );
    return [...new Set(owners)].filter((owner) => owner !== reader && this.#authorities.has(owner));
  }
}
