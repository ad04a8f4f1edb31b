/** Client of the API keys of an account. */
import { requireArguments } from '../contract/errors/arguments.js';
import type { ApiKey, ApiKeyList, CreatedApiKey } from '../domains/people/api-key/schema.js';
import { type CallOperation, type CallOptions, stated } from './call.js';
import { pagesFrom } from './lists/page-walk.js';

/** Options of a new API key. */
export interface NewApiKeyOptions extends CallOptions {
  /** Days of 24 hours until it expires, 1 to 3,650. Default: never. */
  readonly expiresInDays?: number | undefined;
}

/** The keys of the calling account. A credential has none and gets `forbidden`. */
export class ApiKeyClient {
  readonly #call: CallOperation;

  constructor(call: CallOperation) {
    this.#call = call;
  }

  /**
   * Makes a key and returns its text, which is not stored. A repeated call makes another key. A
   * caller that authenticated with an API key gets `forbidden`.
   */
  async create(
    name: string,
    { signal, expiresInDays }: NewApiKeyOptions = {},
  ): Promise<CreatedApiKey> {
    requireArguments('keys.create()', { name });
    const days = stated({ expires_in_days: expiresInDays });
    return this.#call('createApiKey', { document: { name, ...days } }, { signal });
  }

  /**
   * Deletes a key, even the one that the call is made with.
   * @throws {AgentkeepError} `target_not_found` for a key that is not one of the account.
   */
  async delete(id: string, options?: CallOptions): Promise<void> {
    requireArguments('keys.delete()', { id });
    await this.#call('deleteApiKey', { id }, options);
  }

  /** Returns one page of 1 to 1,000 keys, newest first; default 1,000. */
  listPage(page: { limit?: number; cursor?: string } & CallOptions = {}): Promise<ApiKeyList> {
    const { signal, ...parameters } = page;
    return this.#call('listApiKeys', { parameters }, { signal });
  }

  /** Yields every key, newest first, fetched a page at a time. */
  async *list(options: { limit?: number } & CallOptions = {}): AsyncGenerator<ApiKey, void> {
    const pages = pagesFrom(null, (position) => this.listPage({ ...options, ...position }));
    for await (const page of pages) yield* page.keys;
  }
}
