/** The embeddings that a keep makes for all of its clients. */
import { randomUUID } from 'node:crypto';
import { Port } from '../../../kernel/ports/port.js';
import type { TextEmbedder } from '../../../kernel/ports/text-embedder.js';
import { PatientEmbedder } from './patient-embedder.js';
import { type QueryEmbedding, QueryEmbedder } from './query-embedder.js';
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
  readonly #records: RecordEmbedder;
  readonly #queries: QueryEmbedder;

  constructor(embedder: TextEmbedder, { store, clock }: ServerMeaningParts) {
    const model = new PatientEmbedder(embedder, this.#ending.signal);
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

  /** Embeds what was changed in a tenant, soon. */
  noticeChange(tenantId: string): void {
    this.#records.noticeChange(tenantId);
  }

  /** Returns the embedding of the text of a search. Never rejects. */
  embedQuery(tenantId: string, text: string): Promise<QueryEmbedding> {
    return this.#queries.embed(tenantId, text);
  }
}
