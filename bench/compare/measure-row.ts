/** Measures one round of one row inside the process of a contender. */
import { inFlight, median } from '../measure.js';
import type { CompareLoad, Contender, RowName } from './contender.js';
import { ABSENT_WORD, ORDINARY_WORD, RARE_WORD, SAMPLE_TAG, sampleAt, samples } from './sample.js';

const READS = 5_000;
const SEARCHES = 5;
const STORED_BY_ONE = 300;
const STORED_BY_MANY = 6_400;
const KEY_CHECKS = 1_600;
const CALLERS = 64;
const WARM_UPS = 50;
const FOUND = 20;
/** Numbers of the records that are stored one by one, far from those that are imported. */
const STORED_FROM = 10_000_000;

/** The figures of one contender. */
export class RowMeter {
  readonly #contender: Contender;
  readonly #load: CompareLoad;
  #imported = 0;
  #stored = 0;

  constructor(contender: Contender, load: CompareLoad) {
    this.#contender = contender;
    this.#load = load;
  }

  /** Records that it holds, but for those that came over HTTP. */
  get held(): number {
    return this.#imported + this.#stored;
  }

  /** Returns the figure of a round, or `undefined` if the contender can't do the work. */
  measure(row: RowName): Promise<number | undefined> {
    switch (row) {
      case 'import':
        return this.#import();
      case 'read':
        return this.#read();
      case 'ordinary':
        return this.#search(ORDINARY_WORD, FOUND);
      case 'rare':
        return this.#search(RARE_WORD, FOUND);
      case 'absent':
        return this.#search(ABSENT_WORD, 0);
      case 'tag':
        return this.#searchTag();
      case 'storeOne':
        return this.#store(1, STORED_BY_ONE);
      case 'storeMany':
        return this.#store(CALLERS, STORED_BY_MANY);
      case 'checkKey':
        return this.#checkKeys();
      case 'httpStore':
      case 'httpAbsent':
      case 'bytes':
      case 'reopen':
        return Promise.reject(new Error(`The row ${row} is measured from outside.`));
    }
  }

  async #import(): Promise<number | undefined> {
    const { rounds, records } = this.#load;
    if (this.#contender.import === undefined) return undefined;
    const part = samples(this.#imported, Math.ceil(records / rounds));
    const tookMs = await timed(() => this.#contender.import?.(part));
    this.#imported += part.length;
    return (part.length / tookMs) * 1_000;
  }

  async #read(): Promise<number | undefined> {
    if (this.#contender.read === undefined) return undefined;
    const reads = this.#times(READS);
    const tookMs = await timed(async () => {
      for (let at = 0; at < reads; at++)
        await this.#contender.read?.((at * 7_919) % this.#imported);
    });
    return (tookMs / reads) * 1_000;
  }

  async #search(word: string, atMost: number): Promise<number | undefined> {
    if (this.#contender.find === undefined) return undefined;
    return medianMs(async () => {
      const found = await this.#contender.find?.(word);
      // Few records hold few with a rare word.
      const isWrong = atMost === 0 ? found !== 0 : found === 0 && this.#imported >= 1_000;
      if (isWrong) throw new Error(`A search for ${word} found ${String(found)}.`);
    });
  }

  async #searchTag(): Promise<number | undefined> {
    if (this.#contender.findTag === undefined) return undefined;
    return medianMs(async () => {
      const found = await this.#contender.findTag?.(SAMPLE_TAG);
      if (found === 0) throw new Error('A search for a tag found nothing.');
    });
  }

  async #store(callers: number, count: number): Promise<number | undefined> {
    if (this.#contender.store === undefined) return undefined;
    const total = Math.min(this.#times(count), this.#load.records);
    const tookMs = await timed(() =>
      inFlight(callers, total, () => {
        this.#stored += 1;
        return this.#contender.store?.(sampleAt(STORED_FROM + this.#stored)) ?? Promise.resolve();
      }),
    );
    return (total / tookMs) * 1_000;
  }

  async #checkKeys(): Promise<number | undefined> {
    if (this.#contender.checkKey === undefined) return undefined;
    const check = (): Promise<unknown> => this.#contender.checkKey?.() ?? Promise.resolve();
    await inFlight(CALLERS, WARM_UPS, check);
    const total = this.#times(KEY_CHECKS);
    return (total / (await timed(() => inFlight(CALLERS, total, check)))) * 1_000;
  }

  #times(full: number): number {
    return Math.max(1, Math.ceil(full / this.#load.shorten));
  }
}

async function timed(work: () => Promise<unknown> | undefined): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

async function medianMs(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < SEARCHES; at++) times.push(await timed(work));
  return median(times);
}
