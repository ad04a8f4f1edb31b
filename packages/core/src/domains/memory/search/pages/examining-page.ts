/** What pages have in common that look at each entry and end at their bound of entries. */
import type { FoundMatch } from '../examination/read-matches.js';
import type { Step } from '../examination/scope-stream.js';
import type { OpenPage } from './search-page.js';

/** Where a page begins, and how many entries it may examine. */
export interface Examination {
  /** Id of the last entry that earlier pages examined; absent before the first one. */
  readonly position: string | undefined;
  readonly entries: number;
}

/** A page that takes each match among the entries that it examines. */
export abstract class ExaminingPage implements OpenPage {
  readonly #entries: number;
  #examined = 0;
  #position: string | undefined;

  constructor({ position, entries }: Examination) {
    this.#position = position;
    this.#entries = entries;
  }

  /** Entries that were examined. */
  get examined(): number {
    return this.#examined;
  }

  /** Entries that may still be examined. */
  get entriesLeft(): number {
    return this.#entries - this.#examined;
  }

  /** Id of the last entry examined. */
  get position(): string | undefined {
    return this.#position;
  }

  /** Examines the next entries. */
  add({ id, entries, found }: Step): boolean {
    if (found !== undefined) this.take(id, found);
    this.#examined += entries;
    this.#position = id;
    return this.entriesLeft === 0;
  }

  /** Takes a match. */
  protected abstract take(id: string, found: FoundMatch): void;
}
