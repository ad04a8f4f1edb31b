/**
 * Searches decoded values for names. It knows nothing of what an erasure replaces, nor where, so it
 * also finds what an erasure has overlooked.
 */
import { asBuffer } from '../../storage/store/bytes.js';

/** How a value has a name: as a text or a part of one, or as a word among others. */
export type Occurrence = 'alone' | 'among_words' | undefined;

/** Names of which only the keyed digests are known. */
export interface DigestedNames {
  readonly digests: ReadonlySet<string>;
  readonly digestOf: (name: string) => string;
}

/** What separates parts of paths, resources, lists and addresses in a text. */
const DIVIDERS = /[:/?&=,;|]/u;
const WORD = /[\p{L}\p{N}_]/u;

/** Texts of which the digests are remembered. */
const REMEMBERED_MAX = 65_536;
/** No name is longer, in UTF-16 units. */
const NAME_CHARS_MAX = 512;

/** Searches for the names of somebody. */
export class NameSearch {
  readonly #names: ReadonlySet<string>;
  readonly #digested: readonly DigestedNames[];
  readonly #known = new Map<string, boolean>();

  constructor(names: Iterable<string>, digested: readonly DigestedNames[]) {
    this.#names = new Set(names);
    this.#digested = digested;
  }

  /** Says how a value has a name, in any text that it has at any depth, names of members too. */
  in(value: unknown): Occurrence {
    if (typeof value === 'string') return this.#inText(value);
    if (value instanceof Uint8Array) return this.#isInBytes(value) ? 'among_words' : undefined;
    if (typeof value !== 'object' || value === null) return undefined;
    if (value instanceof Map || value instanceof Set) return this.in([...value]);
    let found: Occurrence;
    for (const [member, each] of Object.entries(value)) {
      const here = strongest(this.#inText(member), this.in(each));
      if (here === 'alone') return here;
      found = strongest(found, here);
    }
    return found;
  }

  #inText(text: string): Occurrence {
    if (this.#isName(text) || this.#isName(text.slice(text.indexOf(':') + 1))) return 'alone';
    const parts = DIVIDERS.test(text) ? text.split(DIVIDERS) : [text];
    if (parts.some((part) => this.#isName(part) || this.#isName(decoded(part)))) return 'alone';
    return this.#isAmongWords(text) ? 'among_words' : undefined;
  }

  #isAmongWords(text: string): boolean {
    for (const name of this.#names) {
      for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
        const [before, behind] = [text[at - 1] ?? ' ', text[at + name.length] ?? ' '];
        if (!WORD.test(before) && !WORD.test(behind)) return true;
      }
    }
    return false;
  }

  #isInBytes(value: Uint8Array): boolean {
    const bytes = asBuffer(value);
    return [...this.#names].some((name) => bytes.includes(name));
  }

  #isName(text: string): boolean {
    if (text === '' || text.length > NAME_CHARS_MAX) return false;
    if (this.#names.has(text)) return true;
    if (this.#digested.length === 0) return false;
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const isName = this.#digested.some(({ digests, digestOf }) => digests.has(digestOf(text)));
    if (this.#known.size >= REMEMBERED_MAX) this.#known.clear();
    this.#known.set(text, isName);
    return isName;
  }
}

function strongest(one: Occurrence, other: Occurrence): Occurrence {
  if (one === 'alone' || other === 'alone') return 'alone';
  return one ?? other;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
