/** The embedding spaces of a scope, one for each model (docs/contract/search.md#sea-58). */
import type { ScopeInput } from '../kernel/access/scope.js';
import { requireArguments } from '../contract/errors/arguments.js';
import { CONTRACT_VERSION } from '../contract/version.js';
import type { SpacesResponse } from '../domains/memory/spaces/space-schema.js';
import type { CallOperation, CallOptions } from './call.js';
import { parametersOf } from './memory-documents.js';

/** The spaces of a scope, and which one is meant where none is named. */
export type EmbeddingSpaces = Pick<SpacesResponse, 'default_space' | 'spaces'>;

/** Finds the scope that the calls act in. */
type FindScope = (called: string) => Promise<ScopeInput>;

/** Embedding spaces. Errors are those of the operations, as `AgentkeepError`. */
export class SpaceClient {
  readonly #call: CallOperation;
  readonly #scope: FindScope;

  constructor(call: CallOperation, scope: FindScope) {
    this.#call = call;
    this.#scope = scope;
  }

  /** Shows the spaces of the scope. */
  async list(options?: CallOptions): Promise<EmbeddingSpaces> {
    const scope = await this.#scope('memory.spaces.list()');
    const parameters = { contract_version: CONTRACT_VERSION, ...parametersOf(scope) };
    return shown(await this.#call('listEmbeddingSpaces', { parameters }, options));
  }

  /**
   * Makes a space the default: searches and embeddings that name none are in it from now on.
   * @throws {AgentkeepError} `invalid_request` for a space that the scope doesn't have.
   */
  async use(space: string, options?: CallOptions): Promise<EmbeddingSpaces> {
    const document = await this.#document('memory.spaces.use()', space);
    return shown(await this.#call('useEmbeddingSpace', { document }, options));
  }

  /**
   * Removes a space with the embeddings that were attached in it. Those that records have of their
   * own stay. A call that was cut off can be made again.
   * @throws {AgentkeepError} `invalid_request` for the default of the scope.
   * @example
   * ```ts
   * import { inMemoryStore, openKeep } from '@agentkeep/core';
   * import { agentFor } from '@agentkeep/core/operator';
   *
   * const embed = async (texts: readonly string[]) => texts.map(({ length }) => [length, 1, 0]);
   * const store = inMemoryStore();
   * await using keep = await openKeep({ store, embed, embeddingSpace: 'new-model' });
   * const { memory } = await agentFor(keep, { subject: 'ann' });
   * await memory.remember('Tea.');
   * await memory.embedMissing();
   * await memory.spaces.use('new-model');
   * const { spaces } = await memory.spaces.drop('default');
   * console.log(spaces.map(({ space }) => space)); // [ 'default', 'new-model' ]
   * ```
   */
  async drop(space: string, options?: CallOptions): Promise<EmbeddingSpaces> {
    const document = await this.#document('memory.spaces.drop()', space);
    for (;;) {
      const answer = await this.#call('dropEmbeddingSpace', { document }, options);
      const isLeft = answer.spaces.some((each) => each.space === space && each.is_dropping);
      if (!isLeft) return shown(answer);
    }
  }

  async #document(called: string, space: string) {
    requireArguments(called, { space });
    return { contract_version: CONTRACT_VERSION, scope: await this.#scope(called), space } as const;
  }
}

function shown({ default_space, spaces }: EmbeddingSpaces): EmbeddingSpaces {
  return { default_space, spaces };
}
