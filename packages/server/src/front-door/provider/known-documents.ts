/**
 * Documents of programs that were fetched, for as long as they count. A document that cannot be
 * fetched again counts on for a day. Bounded, whatever addresses people name.
 */
import type { Party } from '@agentkeep/core/operator';

/** How long nothing is fetched after a failure. */
const FAILURE_MS = 10_000;
/** How long a document counts on that cannot be fetched again. */
const COUNTS_ON_MS = 86_400_000;
const DOCUMENTS_MAX = 1_024;

/** What is known of a document. */
export type DocumentAnswer =
  | {
      readonly kind: 'known';
      /** Metadata as the authorization server takes it. */
      readonly properties: Readonly<Record<string, unknown>>;
      readonly keptMs: number;
    }
  | { readonly kind: 'refused'; readonly problem: string; readonly keptMs: number }
  /** It was not answered; `isBusy`: it was not asked for. */
  | { readonly kind: 'unavailable'; readonly isBusy: boolean };

interface Entry {
  readonly answer: DocumentAnswer;
  /** Until when nothing is fetched. */
  readonly untilMs: number;
  /** Until when a known document counts on. */
  readonly countsOnUntilMs: number;
  /** Who had it fetched. */
  readonly asker: string;
}

/** The documents of one server. */
export class KnownDocuments {
  readonly #fetch: (url: string, asker: Party) => Promise<DocumentAnswer>;
  readonly #nowMs: () => number;
  /** By address, the last fetched at the end. */
  readonly #entries = new Map<string, Entry>();
  /** By asker and address, so that no asker waits for the turn of another. */
  readonly #fetching = new Map<string, Promise<DocumentAnswer>>();

  /** `fetch` never rejects. */
  constructor(fetch: (url: string, asker: Party) => Promise<DocumentAnswer>, nowMs: () => number) {
    this.#fetch = fetch;
    this.#nowMs = nowMs;
  }

  /** Returns what is known of a document; fetches it if nothing counts any more. */
  async find(url: string, asker: Party): Promise<DocumentAnswer> {
    const known = this.#entries.get(url);
    if (known !== undefined && this.#nowMs() < known.untilMs) return known.answer;
    const name = `${nameOf(asker)}\0${url}`;
    const fetching = this.#fetching.get(name) ?? this.#fetchOnce(name, url, asker);
    return fetching;
  }

  async #fetchOnce(name: string, url: string, asker: Party): Promise<DocumentAnswer> {
    const fetching = this.#fetch(url, asker).then((answer) => this.#keep(url, answer, asker));
    this.#fetching.set(name, fetching);
    try {
      return await fetching;
    } finally {
      this.#fetching.delete(name);
    }
  }

  /** Keeps an answer, and returns what counts now. */
  #keep(url: string, answer: DocumentAnswer, asker: Party): DocumentAnswer {
    const nowMs = this.#nowMs();
    const before = this.#entries.get(url);
    if (answer.kind !== 'unavailable') {
      const untilMs = nowMs + answer.keptMs;
      const countsOnUntilMs = answer.kind === 'known' ? untilMs + COUNTS_ON_MS : untilMs;
      this.#put(url, { answer, untilMs, countsOnUntilMs, asker: nameOf(asker) });
      return answer;
    }
    const lasting =
      before?.answer.kind === 'known' && nowMs < before.countsOnUntilMs ? before : undefined;
    if (!answer.isBusy) {
      const failed = { answer, countsOnUntilMs: nowMs, asker: nameOf(asker), ...lasting };
      this.#put(url, { ...failed, untilMs: nowMs + FAILURE_MS });
    }
    return lasting?.answer ?? answer;
  }

  #put(url: string, entry: Entry): void {
    this.#entries.delete(url);
    this.#entries.set(url, entry);
    if (this.#entries.size > DOCUMENTS_MAX) this.#entries.delete(this.#oldestOfMost() ?? url);
  }

  /** The asker with the most documents loses its oldest one. */
  #oldestOfMost(): string | undefined {
    const ofAsker = new Map<string, string[]>();
    for (const [url, { asker }] of this.#entries) {
      const urls = ofAsker.get(asker);
      if (urls === undefined) ofAsker.set(asker, [url]);
      else urls.push(url);
    }
    const [first = [], ...others] = ofAsker.values();
    return others.reduce((most, each) => (each.length > most.length ? each : most), first)[0];
  }
}

function nameOf({ tenant, principal }: Party): string {
  return `${tenant}\0${principal}`;
}
