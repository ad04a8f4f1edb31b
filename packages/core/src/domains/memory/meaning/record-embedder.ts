/**
 * Embeds the texts of records behind their commits: tenants in turn, one page of each at a time.
 * What waits is in the journal, so memory holds one page and the names of tenants.
 */
import type { Clock } from '../../../kernel/ports/clock.js';
import { Sweeper } from '../../../kernel/services/sweeper.js';
import { INSTALLATION } from '../../../storage/store/key.js';
import type { Transactions } from '../../../storage/store/store.js';
import { nextTenantWithData } from '../../../storage/store/tenants-with-data.js';
import { isHeldByAnother } from '../journal/lease-policy.js';
import { type EmbeddingPage, hasNews, nextPage, storePage } from './embedding-page.js';
import type { PatientEmbedder } from './patient-embedder.js';

/** Texts of one turn. */
const TEXTS_MAX = 32;
/** Interval of the look for tenants whose time has come. */
const LOOK_EVERY_MS = 1_000;
/** Interval of the look at all tenants of a shared store, for what other servers left. */
const ROUND_EVERY_MS = 30_000;
/** Another server goes on this long after the last page of the one that embeds. */
const LEASE_MS = 60_000;
/** When a tenant is looked at again whose changes another commit holds back, or a server has. */
const SOON_MS = 100;
const HELD_MS = 1_000;
/** When a tenant is looked at again that could not be stored, as its quota is full. */
const REFUSED_MS = 30_000;
const PAUSE_MS_MIN = 1_000;
const PAUSE_MS_MAX = 60_000;
/** A text that every model understands, to learn whether a failure was that of another text. */
const PROBE = 'Is the model there?';

/** Dependencies of the embedder. */
export interface RecordEmbedderParts {
  readonly store: Transactions;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly model: PatientEmbedder;
  readonly space: string;
  /** Names this process in leases. */
  readonly holder: string;
}

/** Embeds until it is stopped. */
export class RecordEmbedder extends Sweeper {
  readonly #parts: RecordEmbedderParts;
  /** Tenants that wait for their turn, with the records that are known to wait. */
  readonly #turns = new Map<string, number>();
  /** Tenants that wait for a time of the monotonic clock. */
  readonly #later = new Map<string, number>();
  /** Tenants whose next texts are embedded one by one, as all together failed; how many. */
  readonly #singly = new Map<string, number>();
  #runningTexts = 0;
  #roundMs = -Infinity;
  #pausedUntilMs = -Infinity;
  #pauseMs = PAUSE_MS_MIN;
  #isWoken = false;

  constructor(parts: RecordEmbedderParts) {
    super();
    this.#parts = parts;
  }

  /** Begins with a look at all tenants. */
  start(): void {
    // Loads the model, so that the first search need not wait for it.
    this.#parts.model.vectorsOf([PROBE], 'query').catch(() => undefined);
    this.wake();
    this.repeat(LOOK_EVERY_MS);
  }

  /** Records that wait to be embedded, as far as they were found: at most 128 of each tenant. */
  get waiting(): number {
    let sum = this.#runningTexts + this.#later.size;
    for (const found of this.#turns.values()) sum += Math.max(1, found);
    return sum;
  }

  /** Embeds what was changed in a tenant, soon. */
  noticeChange(tenantId: string): void {
    if (this.isStopped) return;
    this.#later.delete(tenantId);
    this.#turns.set(tenantId, this.#turns.get(tenantId) ?? 1);
    if (this.#isWoken) return;
    this.#isWoken = true;
    this.wake();
  }

  protected override async sweepAll(): Promise<void> {
    this.#isWoken = false;
    for (;;) {
      await this.#addDue();
      const [tenantId] = this.#turns.keys();
      const isPaused = this.#parts.clock.monotonic() < this.#pausedUntilMs;
      if (tenantId === undefined || isPaused || this.isStopped) return;
      // A turn counts from its start, as its page is still to be read.
      this.#runningTexts = Math.max(1, this.#turns.get(tenantId) ?? 0);
      this.#turns.delete(tenantId);
      try {
        await this.#takeTurn(tenantId);
      } catch {
        // The quota of the tenant is full, or the store failed: what waits is still there.
        this.#lookLater(tenantId, REFUSED_MS);
      } finally {
        this.#runningTexts = 0;
      }
    }
  }

  /** Adds the tenants whose time has come; all of them in each round. */
  async #addDue(): Promise<void> {
    const { store, clock } = this.#parts;
    const nowMs = clock.monotonic();
    for (const [tenantId, dueMs] of this.#later) {
      if (dueMs > nowMs) continue;
      this.#later.delete(tenantId);
      this.#add(tenantId);
    }
    if (nowMs < this.#roundMs) return;
    let tenant: string | undefined;
    do {
      const after = tenant;
      tenant = await store.read((tx) => nextTenantWithData(tx, after));
      if (tenant !== undefined && tenant !== INSTALLATION) this.#add(tenant);
    } while (tenant !== undefined && !this.isStopped);
    // A store of this process alone changes by its own commits only, which wake it.
    this.#roundMs = store.isShared ? nowMs + ROUND_EVERY_MS : Infinity;
  }

  #add(tenantId: string, found = 0): void {
    this.#turns.set(tenantId, Math.max(found, this.#turns.get(tenantId) ?? 0));
  }

  #lookLater(tenantId: string, ms: number): void {
    if (!this.#turns.has(tenantId)) this.#later.set(tenantId, this.#parts.clock.monotonic() + ms);
  }

  /** Embeds the next page of a tenant. */
  async #takeTurn(tenantId: string): Promise<void> {
    const { store, space, holder, clock } = this.#parts;
    const left = this.#singly.get(tenantId) ?? 0;
    const textsMax = left > 0 ? 1 : TEXTS_MAX;
    const page = await store.read((tx) => nextPage(tx, { tenantId, space, textsMax }));
    if (page === undefined) return;
    const lease = page.before?.lease ?? null;
    if (store.isShared && isHeldByAnother(lease, holder, clock.now())) {
      this.#lookLater(tenantId, HELD_MS);
      return;
    }
    if (!hasNews(page)) {
      if (page.isHeld) this.#lookLater(tenantId, SOON_MS);
      return;
    }
    this.#runningTexts = Math.max(1, page.texts.length + page.left);
    const vectors = await this.#vectorsOf(tenantId, page);
    if (vectors === undefined || this.isStopped) return;
    if (left > 0) this.#countDown(tenantId, left - 1);
    if (!(await this.#store(tenantId, page, vectors))) {
      // Another server went on, and will go on; where it doesn't, the next look does.
      this.#lookLater(tenantId, HELD_MS);
    } else if (page.isMore) this.#add(tenantId, page.left);
    else if (page.isHeld) this.#lookLater(tenantId, SOON_MS);
  }

  async #store(
    tenantId: string,
    page: EmbeddingPage,
    vectors: readonly (readonly number[])[],
  ): Promise<boolean> {
    const { store, holder, clock } = this.#parts;
    const nowMs = clock.now();
    const lease = store.isShared && page.isMore ? { holder, untilMillis: nowMs + LEASE_MS } : null;
    const stored = { ...page, after: { ...page.after, lease } };
    return store.transact((tx) => storePage(tx, tenantId, stored, { vectors, nowMs }));
  }

  /**
   * Returns the embeddings of a page; `undefined` where the model fails, so that its tenant waits.
   * A text that fails alone, while the model makes an embedding of another one, is passed over.
   */
  async #vectorsOf(
    tenantId: string,
    { texts, left }: EmbeddingPage,
  ): Promise<readonly (readonly number[])[] | undefined> {
    const { model } = this.#parts;
    if (texts.length === 0) return [];
    try {
      const vectors = await model.vectorsOf(
        texts.map(({ text }) => text),
        'record',
      );
      this.#pauseMs = PAUSE_MS_MIN;
      return vectors;
    } catch {
      if (texts.length > 1) {
        this.#countDown(tenantId, texts.length);
      } else {
        try {
          await model.vectorsOf([PROBE], 'record');
          return [[]];
        } catch {
          this.#pause();
        }
      }
      this.#add(tenantId, left + texts.length);
      return undefined;
    }
  }

  #countDown(tenantId: string, left: number): void {
    if (left > 0) this.#singly.set(tenantId, left);
    else this.#singly.delete(tenantId);
  }

  /** Waits for a model that is away: twice as long as the last time. */
  #pause(): void {
    this.#pausedUntilMs = this.#parts.clock.monotonic() + this.#pauseMs;
    this.#pauseMs = Math.min(2 * this.#pauseMs, PAUSE_MS_MAX);
  }
}
