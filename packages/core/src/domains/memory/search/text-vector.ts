/** Puts numbers in the place of the text of a search, where the keep makes embeddings. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import type { InputSchemas } from '../../../kernel/input/input-rules.js';
import type { TenantRequest } from '../../../kernel/operation/requests.js';
import { serverMeaning } from '../meaning/server-meaning.js';
import type { SearchPage, SearchRequest, SearchVector } from './documents/schema.js';

/** A search whose vector has numbers. */
export type SearchByNumbers = Omit<SearchRequest, 'vector'> & {
  readonly vector: SearchVector | null;
};

/** A search by numbers, or the page of one whose text has no embedding. */
type Resolved =
  { readonly document: SearchByNumbers; readonly page?: never } | { readonly page: SearchPage };

/** What a page says of the embeddings that the keep makes. */
export type MeaningMembers = Pick<SearchPage, 'meaning_space' | 'text_embedding'>;

type Request = Pick<TenantRequest<InputSchemas>, 'runtime' | 'credential' | 'rest'>;

/**
 * Returns a search with the embedding of its text, for which it waits a bounded time.
 *
 * @throws {AgentkeepError} `invalid_request` for a text where the keep makes no embeddings, in
 * another order than `nearest`, and with another space than that of the model.
 */
export async function withNumbers(request: Request, document: SearchRequest): Promise<Resolved> {
  const { vector } = document;
  if (vector === null || 'values' in vector) return { document: { ...document, vector } };
  const meaning = serverMeaning.of(request.runtime);
  if (document.order !== 'nearest') throw refused('vector.text', 'the order nearest');
  if (meaning === null) {
    throw refused('vector.text', '`values`, since this server makes no embeddings');
  }
  const { space } = meaning;
  if ((document.space ?? space) !== space) throw refused('space', `null or ${space}, with a text`);
  const { text, metric } = vector;
  const { tenantId } = request.credential;
  // It only waits, so that other heavy calls go on.
  const made = await request.rest(() => meaning.embedQuery(tenantId, text));
  if (made.kind === 'made') {
    return { document: { ...document, space, vector: { values: [...made.values], metric } } };
  }
  const empty = { matches: [], next_cursor: null, scanned_records: 0 };
  return { page: { ...empty, text_embedding: made.kind } };
}

/** Returns what the page of a search says of the embeddings that the keep makes. */
export function meaningMembers(
  { runtime }: Pick<Request, 'runtime'>,
  { order, vector }: Pick<SearchRequest, 'order' | 'vector'>,
): MeaningMembers {
  if (vector !== null && 'text' in vector) return { text_embedding: 'made' };
  const meaning = order === 'best_words' ? serverMeaning.of(runtime) : null;
  return meaning === null ? {} : { meaning_space: meaning.space };
}

function refused(path: string, expected: string): AgentkeepError {
  return new AgentkeepError('invalid_request', { members: [{ path, expected }] });
}
