/** Client of attempts and their observations. */
import { requireArguments } from '../contract/errors/arguments.js';
import type { ScopeInput } from '../kernel/access/scope.js';
import type {
  Experience,
  ExperienceCommandInput,
  ExperienceEvent,
  ExperienceHistoryCursor,
  ExperienceHistoryPage,
  ExperienceReceipt,
  ExperienceRequestInput,
} from '../domains/learning/experience/schema.js';
import { HISTORY_LIMIT_MAX } from '../contract/limits.js';
import { CONTRACT_VERSION } from '../contract/version.js';
import type { CallOperation, CallOptions, OutputOf } from './call.js';
import {
  type DirectoryRequest,
  everyItem,
  scopeListDocument,
  walkPages,
} from './lists/page-walk.js';

/** Settings of a traversal of a history. */
export interface HistoryOptions extends CallOptions {
  /** Largest number of events to examine for a page, 1 to 64; default 64. */
  readonly limit?: number;
}

/** Registers and reads attempts. It executes nothing, and a report alone qualifies nothing. */
export class ExperienceClient {
  readonly #call: CallOperation;

  constructor(call: CallOperation) {
    this.#call = call;
  }

  /** Registers an attempt. Repeating the request of a subject returns the original receipt. */
  async register(
    scope: ScopeInput,
    request: ExperienceRequestInput,
    options?: CallOptions,
  ): Promise<ExperienceReceipt> {
    requireArguments('experiences.register()', { scope, request });
    const document = { contract_version: CONTRACT_VERSION, scope, request };
    return (await this.#call('registerExperience', { document }, options)).receipt;
  }

  /**
   * Returns the current state of an attempt.
   * @throws {AgentkeepError} `record_not_found`
   */
  async read(scope: ScopeInput, attemptId: string, options?: CallOptions): Promise<Experience> {
    requireArguments('experiences.read()', { scope, attemptId });
    const document = { contract_version: CONTRACT_VERSION, scope, attempt_id: attemptId };
    return (await this.#call('readExperience', { document }, options)).experience;
  }

  /** Records an observation. Only for the reporter of the attempt. */
  async observe(
    scope: ScopeInput,
    attemptId: string,
    command: ExperienceCommandInput,
    options?: CallOptions,
  ): Promise<ExperienceEvent> {
    requireArguments('experiences.observe()', { scope, attemptId, command });
    const document = { contract_version: CONTRACT_VERSION, scope, attempt_id: attemptId, command };
    return (await this.#call('recordExperienceEvent', { document }, options)).event;
  }

  /**
   * Returns one observation.
   * @throws {AgentkeepError} `record_not_found`
   */
  async readEvent(
    scope: ScopeInput,
    attemptId: string,
    eventId: string,
    options?: CallOptions,
  ): Promise<ExperienceEvent> {
    requireArguments('experiences.readEvent()', { scope, attemptId, eventId });
    const ids = { attempt_id: attemptId, event_id: eventId };
    const document = { contract_version: CONTRACT_VERSION, scope, ...ids };
    return (await this.#call('readExperienceEvent', { document }, options)).event;
  }

  /** Returns one page of a history. Continue with its `next_cursor`, even after an empty page. */
  async historyPage(
    scope: ScopeInput,
    attemptId: string,
    { signal, limit, cursor }: HistoryOptions & { cursor?: ExperienceHistoryCursor | null } = {},
  ): Promise<ExperienceHistoryPage> {
    requireArguments('experiences.historyPage()', { scope, attemptId });
    const document = {
      contract_version: CONTRACT_VERSION,
      scope,
      attempt_id: attemptId,
      query: { limit: limit ?? HISTORY_LIMIT_MAX, cursor: cursor ?? null },
    };
    return (await this.#call('readExperienceHistory', { document }, { signal })).page;
  }

  /**
   * Yields every observation up to now, a page at a time, ordered by the length of the event
   * ids in UTF-8 and then by their bytes. Observations recorded meanwhile are left out.
   */
  async *history(
    scope: ScopeInput,
    attemptId: string,
    options: HistoryOptions = {},
  ): AsyncGenerator<ExperienceEvent, void> {
    const pages = walkPages<ExperienceHistoryPage, ExperienceHistoryCursor>(
      null,
      (cursor) => this.historyPage(scope, attemptId, { ...options, cursor }),
      (page) => page.next_cursor,
    );
    for await (const page of pages) yield* page.events;
  }

  /**
   * Returns one page of the attempts of a scope, with where each stands.
   * Needs `experience_read`.
   */
  async listPage(
    scope: ScopeInput,
    options: DirectoryRequest = {},
  ): Promise<OutputOf<'listExperiences'>['page']> {
    const document = scopeListDocument('experiences.listPage()', scope, options);
    return (await this.#call('listExperiences', { document }, { signal: options.signal })).page;
  }

  /**
   * Yields the attempts of a scope, with where each stands. The order is fixed and isn't of time.
   * Needs `experience_read`.
   */
  list(
    scope: ScopeInput,
    options: Omit<DirectoryRequest, 'cursor'> = {},
  ): AsyncGenerator<Experience, void> {
    return everyItem((position) => this.listPage(scope, { ...options, ...position }));
  }
}
