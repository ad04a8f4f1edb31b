/** Texts that only one authority may see. */

/** Returns the prefix of texts that only this authority may see. */
export function markOf(authority: string): string {
  return `only-for-${authority}`;
}

/** A marked text in JSON, up to the end of its string. */
const MARKED = /only-for-(\w+)\b(?:[^"\\]|\\.)*/g;

/** Tracks which authority may see which marked texts. */
export class Marks {
  readonly #authorities = new Set<string>();
  /** Senders by text in JSON, where they differ from the authority in the mark. */
  readonly #senders = new Map<string, string>();

  /** Starts to watch for texts of an authority. */
  watch(authority: string): void {
    this.#authorities.add(authority);
  }

  /** Records a sent body. The marked texts in it belong to the sender. */
  noteSent(body: Uint8Array, sender: string): void {
    for (const [text, marked] of Buffer.from(body).toString().matchAll(MARKED)) {
      if (marked !== sender) this.#senders.set(text, sender);
    }
  }

  /** Returns the watched authorities, except the reader, whose texts are in an answer. */
  foreignIn(answer: string, reader: string): string[] {
    const owners = [...answer.matchAll(MARKED)].map(
      ([text, marked = '']) => this.#senders.get(text) ?? marked,
    );
    return [...new Set(owners)].filter((owner) => owner !== reader && this.#authorities.has(owner));
  }
}
