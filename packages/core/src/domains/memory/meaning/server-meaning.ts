/**
 * The embeddings that a keep makes for all of its clients: of records behind their commits, and of
 * the texts of searches, for as long as a search waits.
 */
import { randomUUID } from 'node:crypto';
import { clearTimeout, setTimeout } from 'node:timers';
import { BoundedMap } from '../../../contract/bounded-map.js';
import type { Clock } from '../../../kernel/ports/clock.js';
import { Port } from '../../../kernel/ports/port.js';
import type { TextEmbedder } from '../../../kernel/ports/text-embedder.js';
import { PatientEmbedder } from './patient-embedder.js';
import { RecordEmbedder, type RecordEmbedderParts } from './record-embedder.js';

/** Makes embeddings for all clients of a keep; null in a keep that makes none. */
export const serverMeaning = new Port<ServerMeaning | null>('serverMeaning');

/** Dependencies of the embeddings. */
export type ServerMeaningParts = Pick<RecordEmbedderParts, 'store' | 'clock'>;

/** The embeddings of a keep with a model. */
export class ServerMeaning {
  /** The embedding space of the model. */
  readonly space: string;
  readonly #ending = new AbortController();
  readonly #model: PatientEmbedder;
  readonly #records: RecordEmbedder;
  readonly #queries: QueryEmbedder;

  constructor(embedder: TextEmbedder, { store, clock }: ServerMeaningParts) {
    const model = new PatientEmbedder(embedder, this.#ending.signal);
    this.#model = model;
    this.space = embedder.space;
    this.#records = new RecordEmbedder({
      store,
      clock,
      model,
      space: this.space,
      holder: randomUUID(),
    });
    this.#queries = new QueryEmbedder({ model, clock, patienceMs: embedder.queryMillis });
  }

  /** Begins to embed. */
  start(): void {
    this.#records.start();
  }

  /** Ends what the model does; the next start finds what was not embedded. */
  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#records.stop();
  }

  /** Records that wait to be embedded. */
  get waiting(): number {
    return this.#records.waiting;
  }

  /** Whether the model failed when it was asked last. */
  get isFailing(): boolean {
    return this.#model.isFailing;
  }

  /** Embeds what was changed in a tenant, soon. */
  noticeChange(tenantId: string): void {
    this.#records.noticeChange(tenantId);
  }

  /** Returns the embedding of the text of a search. Never rejects. */
  embedQuery(tenantId: string, text: string): Promise<QueryEmbedding> {
    return this.#queries.embed(tenantId, text);
  }
}

/** Texts whose embeddings are kept, so that pages and repeated questions find them. */
const KEPT_MAX = 1_024;
/** Texts that the model works at or that wait for it; further ones have none. */
const WAITING_MAX = 64;
/** How long a search waits where the model says nothing else. */
const PATIENCE_MS = 1_000;

/** The embedding of the text of a search, or why it has none. */
export type QueryEmbedding =
  | { readonly kind: 'made'; readonly values: readonly number[] }
  | { readonly kind: 'not_understood' | 'unavailable' };

const unavailable: QueryEmbedding = { kind: 'unavailable' };

/** Dependencies of the embedder. */
export interface QueryEmbedderParts {
  readonly model: PatientEmbedder;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly patienceMs?: number | undefined;
}

/** Embeds texts of searches. What took too long for one search is there for the next one. */
export class QueryEmbedder {
  readonly #model: PatientEmbedder;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #patienceMs: number;
  /** Those that were asked for last. */
  readonly #known = new BoundedMap<string, readonly number[]>({ max: KEPT_MAX });
  /** Texts that wait, by tenant and text, since when. */
  readonly #waiting = new Map<
    string,
    { readonly since: number; readonly made: Promise<QueryEmbedding> }
  >();

  constructor({ model, clock, patienceMs = PATIENCE_MS }: QueryEmbedderParts) {
    this.#model = model;
    this.#clock = clock;
    this.#patienceMs = patienceMs;
  }

  /** Returns the embedding of a text. Never rejects, and never takes longer than the bound. */
  async embed(tenantId: string, text: string): Promise<QueryEmbedding> {
    // Tenants share no embedding, so that none can see by its speed what others asked.
    const name = `${tenantId}\0${text}`;
    const known = this.#known.get(name);
    if (known !== undefined) {
      this.#known.set(name, known);
      return shown(known);
    }
    const [oldest] = this.#waiting.values();
    const isStuck =
      oldest !== undefined && this.#clock.monotonic() - oldest.since > this.#patienceMs;
    if (isStuck) return unavailable;
    const waiting = this.#waiting.get(name)?.made ?? this.#ask(name, text);
    return waiting === undefined ? unavailable : within(waiting, this.#patienceMs);
  }

  #ask(name: string, text: string): Promise<QueryEmbedding> | undefined {
    if (this.#waiting.size >= WAITING_MAX) return undefined;
    const made = this.#model
      .vectorsOf([text], 'query')
      .then(([values = []]) => {
        this.#known.set(name, values);
        return shown(values);
      })
      .catch(() => unavailable)
      .finally(() => this.#waiting.delete(name));
    this.#waiting.set(name, { since: this.#clock.monotonic(), made });
    return made;
  }
}

/** An embedding without a direction has no nearest one. */
function shown(values: readonly number[]): QueryEmbedding {
  const isMade = values.some((value) => value !== 0);
  return isMade ? { kind: 'made', values } : { kind: 'not_understood' };
}

async function within(made: Promise<QueryEmbedding>, ms: number): Promise<QueryEmbedding> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<QueryEmbedding>((resolve) => {
    timer = setTimeout(() => {
      resolve(unavailable);
    }, ms);
  });
  try {
    return await Promise.race([made, late]);
  } finally {
    clearTimeout(timer);
  }
}
