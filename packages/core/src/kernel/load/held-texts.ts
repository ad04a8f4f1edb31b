/**
 * Long texts that callers read page by page while they are made. Each holds a state of the store,
 * so there are few, and one that waits too long is dropped.
 */
import { clearTimeout, setTimeout } from 'node:timers';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import type { Entropy } from '../ports/entropy.js';
import { Port } from '../ports/port.js';
import type { Party } from './party.js';

/** Exports that callers read page by page. */
export const heldTexts = new Port<HeldTexts>('heldTexts');

/** Most texts of one tenant at a time, and of all tenants. */
const TENANT_TEXTS_MAX = 2;
const TEXTS_MAX = 4;

/** How long a text waits for its next reader, in milliseconds. */
const HELD_TEXT_IDLE_MS = 60_000;

/** How long it waits while another tenant has none. */
const YIELDS_AFTER_MS = 5_000;

const ID_BYTES = 16;

/** Makes the pages of a text, one after the other. */
export interface TextPages {
  /** Makes the next page, and says whether it is the last. `turn` lets other work run. */
  next(turn: () => Promise<void>): Promise<{ readonly text: string; readonly isEnd: boolean }>;
}

/** What a text is made from. */
export interface TextSource {
  /** Says which state it is of. */
  readonly state: string;
  /** Begins the text. Each time, its pages are the same. */
  pages(): TextPages;
  /** Releases what the text is made from. */
  close(): Promise<void>;
}

/** A page of a text. */
export interface TextPage {
  readonly text: string;
  /** Leads to the next page; null at the end. */
  readonly nextAfter: string | null;
  /** That of the source. */
  readonly state: string;
}

interface NumberedPage {
  readonly number: number;
  readonly text: string;
  readonly isEnd: boolean;
}

const NO_PAGE: NumberedPage = { number: 0, text: '', isEnd: false };

interface HeldText {
  readonly owner: string;
  readonly tenant: string;
  readonly source: TextSource;
  pages: TextPages;
  /** The page that was made last, and its number, from 1. */
  last: NumberedPage;
  /** How many pages were made. */
  made: number;
  hasEnded: boolean;
  /** Pages are made one after the other. */
  making: Promise<unknown>;
  timer: NodeJS.Timeout | undefined;
  /** Calls that wait for a page of it. */
  readers: number;
  /** Whether no call has read it for {@link YIELDS_AFTER_MS}. */
  isIdle: boolean;
}

/** The texts that are being read. */
export class HeldTexts {
  readonly #entropy: Entropy;
  readonly #texts = new Map<string, HeldText>();
  /** The tenants of texts that are being opened. */
  readonly #opening: string[] = [];

  constructor(entropy: Entropy) {
    this.#entropy = entropy;
  }

  /**
   * Begins a text and returns its first page. `request` tells texts of one owner apart. A tenant
   * that has none gets the place of a second text of another tenant, or of one that waits.
   * @throws {AgentkeepError} `service_busy` while there are too many.
   */
  async begin(
    party: Party,
    request: string,
    open: () => Promise<TextSource>,
    turn: () => Promise<void>,
  ): Promise<TextPage> {
    const begun = [...this.#texts.values()].filter(({ hasEnded }) => !hasEnded);
    const ofTenant = begun.filter(({ tenant }) => tenant === party.tenant);
    const opening = this.#opening.filter((tenant) => tenant === party.tenant).length;
    const hasShare = ofTenant.length + opening < TENANT_TEXTS_MAX;
    const isFull = begun.length + this.#opening.length >= TEXTS_MAX;
    const isFirst = ofTenant.length + opening === 0;
    const yielded = isFull && isFirst ? this.#yielding() : undefined;
    if (!hasShare || (isFull && yielded === undefined)) throw new AgentkeepError('service_busy');
    this.#opening.push(party.tenant);
    if (yielded !== undefined) await this.#drop(yielded);
    await this.#dropEnded();
    const source = await open().finally(() => {
      this.#opening.splice(this.#opening.indexOf(party.tenant), 1);
    });
    const id = Buffer.from(this.#entropy.bytes(ID_BYTES)).toString('base64url');
    const held: HeldText = {
      owner: ownerOf(party, request),
      tenant: party.tenant,
      source,
      pages: source.pages(),
      last: NO_PAGE,
      made: 0,
      hasEnded: false,
      making: Promise.resolve(),
      timer: undefined,
      readers: 0,
      isIdle: false,
    };
    this.#texts.set(id, held);
    return this.#page(id, held, 0, turn);
  }

  /**
   * Returns the page after a cursor. Earlier pages are made again, after answers were lost.
   * @throws {AgentkeepError} `export_gone` if the text isn't held any more.
   */
  async next(
    party: Party,
    request: string,
    after: string,
    turn: () => Promise<void>,
  ): Promise<TextPage> {
    const [id = '', number = ''] = after.split('.');
    const held = this.#texts.get(id);
    if (held?.owner !== ownerOf(party, request)) throw new AgentkeepError('export_gone');
    return this.#page(id, held, Number(number), turn);
  }

  /** Drops the texts of a tenant, once no page of them is being made. */
  async endOf(tenant: string): Promise<void> {
    const texts = [...this.#texts].filter(([, held]) => held.tenant === tenant);
    // No further page of them begins then.
    for (const [id] of texts) this.#texts.delete(id);
    for (const [, held] of texts) {
      clearTimeout(held.timer);
      await held.making;
      await held.source.close();
    }
  }

  /** Drops all texts. */
  async stop(): Promise<void> {
    await Promise.all(Array.from(this.#texts.keys(), (id) => this.#drop(id)));
  }

  async #page(
    id: string,
    held: HeldText,
    after: number,
    turn: () => Promise<void>,
  ): Promise<TextPage> {
    clearTimeout(held.timer);
    held.readers += 1;
    held.isIdle = false;
    // Read last, so that it yields last.
    this.#texts.delete(id);
    this.#texts.set(id, held);
    const making = held.making.then(() => this.#make(held, after, turn));
    held.making = making.catch(() => undefined);
    try {
      const { number, text, isEnd } = await making;
      const { state } = held.source;
      return { text, nextAfter: isEnd ? null : `${id}.${String(number)}`, state };
    } finally {
      clearTimeout(held.timer);
      held.readers -= 1;
      held.timer = setTimeout(() => {
        held.isIdle = true;
        const left = HELD_TEXT_IDLE_MS - YIELDS_AFTER_MS;
        held.timer = setTimeout(() => void this.#drop(id), left).unref();
      }, YIELDS_AFTER_MS).unref();
    }
  }

  /** Returns the text that gives its place to a tenant without one: the least recently read. */
  #yielding(): string | undefined {
    const resting = [...this.#texts].filter(
      ([, { hasEnded, readers }]) => !hasEnded && readers === 0,
    );
    const numberOf = (wanted: string): number =>
      [...this.#texts.values()].filter(({ tenant, hasEnded }) => !hasEnded && tenant === wanted)
        .length;
    const [second] = resting.filter(([, { tenant }]) => numberOf(tenant) > 1);
    const [idle] = resting.filter(([, { isIdle }]) => isIdle);
    return (second ?? idle)?.[0];
  }

  async #make(held: HeldText, after: number, turn: () => Promise<void>): Promise<NumberedPage> {
    if (after === held.last.number - 1) return held.last;
    const isMade = Number.isSafeInteger(after) && after >= 0 && after <= held.made;
    if (!isMade || (held.hasEnded && after === held.made)) throw new AgentkeepError('export_gone');
    if (after < held.last.number) beginAgain(held);
    try {
      do {
        const page = await held.pages.next(turn);
        held.last = { ...page, number: held.last.number + 1 };
      } while (held.last.number <= after);
    } catch (error) {
      // The caller has left in the middle of a page.
      beginAgain(held);
      throw error;
    }
    held.made = Math.max(held.made, held.last.number);
    held.hasEnded ||= held.last.isEnd;
    // The only page is read again without what it was made from.
    if (held.last.isEnd && held.made === 1) await held.source.close();
    return held.last;
  }

  /** Makes room: only as many texts are held as can be made at once. */
  async #dropEnded(): Promise<void> {
    const ended = [...this.#texts].filter(([, { hasEnded }]) => hasEnded);
    const excess = Math.max(0, this.#texts.size + this.#opening.length - TEXTS_MAX);
    for (const [id] of ended.slice(0, excess)) await this.#drop(id);
  }

  async #drop(id: string): Promise<void> {
    const held = this.#texts.get(id);
    if (held === undefined) return;
    this.#texts.delete(id);
    clearTimeout(held.timer);
    await held.source.close();
  }
}

function beginAgain(held: HeldText): void {
  held.pages = held.source.pages();
  held.last = NO_PAGE;
}

function ownerOf({ tenant, principal }: Party, request: string): string {
  return JSON.stringify([tenant, principal, request]);
}

/** Signals that end a wait early. */
interface FeedSignals {
  readonly signal?: AbortSignal | undefined;
  readonly stopping?: AbortSignal | undefined;
}

/** A slot among the waiting calls. */
export interface FeedWait {
  /**
   * Resolves at the next commit that changes memory of the tenant, if the store reports commits,
   * and soon in any case: then the caller looks again, with its authority at that time. Either
   * signal ends it at once.
   */
  soon(until: FeedSignals): Promise<void>;
  /** Releases the slot. Safe to call repeatedly. */
  end(): void;
}

/** A slot that a stream keeps from one page to the next, and releases when it ends. */
export interface HeldWait {
  slot?: FeedWait;
}
