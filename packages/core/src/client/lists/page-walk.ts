/** Walks pages of lists. */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { refuseUnknownOptions, requireArguments } from '../../contract/errors/arguments.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import type { Dependent, TracePage } from '../../domains/memory/dependents/schema.js';
import type { Receipt } from '../../domains/memory/documents/schema.js';
import type { ScopeInput } from '../../kernel/access/scope.js';
import { type CallOperation, type CallOptions, type PartsOf, stated } from '../call.js';

/** A page whose cursor has the usual name. */
interface CursorPage {
  readonly next_cursor: string | null;
}

/** Yields all pages from a cursor on and fetches each page when it is needed. */
export function pagesFrom<P extends CursorPage>(
  first: string | null,
  pageAt: (position: { cursor?: string }) => Promise<P>,
): AsyncGenerator<P, void> {
  return walkPages(
    first,
    (cursor) => pageAt(cursor === null ? {} : { cursor }),
    (page) => page.next_cursor,
  );
}

/** Yields the items of all pages. */
export async function* everyItem<T>(
  pageAt: (position: { cursor?: string }) => Promise<CursorPage & { items: T[] }>,
): AsyncGenerator<T, void> {
  for await (const page of pagesFrom(null, pageAt)) yield* page.items;
}

/**
 * Yields all pages, whatever their cursors are called.
 * @throws {AgentkeepError} `unexpected_answer` when a cursor comes again, so that a server which
 * leads in a circle is not followed for ever.
 */
export async function* walkPages<P, C>(
  first: C | null,
  pageAt: (cursor: C | null) => Promise<P>,
  nextOf: (page: P) => C | null,
): AsyncGenerator<P, void> {
  const circle = new CircleCheck();
  let cursor = first;
  do {
    const page = await pageAt(cursor);
    yield page;
    cursor = nextOf(page);
    if (cursor !== null) circle.pass(cursor);
  } while (cursor !== null);
}

/**
 * Notices cursors that lead in a circle, and remembers only one of them: after each doubling of the
 * number of pages the newest (Brent's algorithm).
 */
class CircleCheck {
  #remembered: string | undefined;
  #passed = 0;
  #limit = 1;

  /**
   * Takes the cursor of the next page.
   * @throws {AgentkeepError} `unexpected_answer` for the remembered cursor.
   */
  pass(cursor: unknown): void {
    const text = JSON.stringify(cursor);
    if (text === this.#remembered) throw repeatedCursor();
    this.#passed += 1;
    if (this.#passed < this.#limit) return;
    this.#remembered = text;
    this.#passed = 0;
    this.#limit *= 2;
  }
}

/** Returns the error of a server that repeats a cursor. */
export function repeatedCursor(): AgentkeepError {
  const message =
    'The server answered with a cursor that it gave before, so its pages have no end. Tell its operator.';
  return new AgentkeepError('unexpected_answer', { message });
}

/** Which pages of a history to fetch. */
export interface HistoryRequest extends CallOptions {
  /** Most events fetched at once, 1 to 64; default 64. */
  readonly limit?: number;
}

/** The query for one page. */
interface HistoryQuery {
  readonly limit?: number;
  readonly cursor?: string;
}

/** Yields every event, newest first, and fetches each page when it is needed. */
export async function* everyEvent<E>(
  { limit }: HistoryRequest,
  pageAt: (query: HistoryQuery) => Promise<{ history: readonly E[]; next: string | undefined }>,
): AsyncGenerator<E, void> {
  const size = stated({ limit });
  const pages = walkPages<{ history: readonly E[]; next: string | undefined }, string>(
    null,
    (cursor) => pageAt(cursor === null ? size : { ...size, cursor }),
    ({ next }) => next ?? null,
  );
  for await (const { history } of pages) yield* history.toReversed();
}

/** Yields what was derived from an erased revision, once all of it was found and dealt with. */
export async function* tracedDependents(
  call: CallOperation,
  scope: ScopeInput,
  { record_id: id, revision }: Pick<Receipt, 'record_id' | 'revision'>,
  { signal }: CallOptions,
): AsyncGenerator<Dependent, void> {
  let cursor: string | null = null;
  let isDone = false;
  while (!isDone) {
    const document = { contract_version: CONTRACT_VERSION, scope, revision, cursor };
    const parts: PartsOf<'traceMemoryDependents'> = { id, document };
    const page: TracePage = (await call('traceMemoryDependents', parts, { signal })).page;
    const { state, dependents, next_cursor } = page;
    yield* dependents;
    isDone = state === 'finished' && next_cursor === null;
    cursor = next_cursor ?? cursor;
  }
}

/** The page of a directory to return. */
export interface DirectoryRequest extends CallOptions {
  /** Largest number of items, 1 to 100; default 25. */
  readonly limit?: number;
  /** The `next_cursor` of the previous page. */
  readonly cursor?: string;
}

/** How many items to return, and from where on. */
interface PlaceInDirectory {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** Returns the parameters of the request for a page. */
export function directoryParameters({ limit, cursor }: PlaceInDirectory) {
  return {
    contract_version: CONTRACT_VERSION,
    ...stated({ limit, cursor }),
  };
}

/** Returns the document that asks for a page, after checking the arguments of a call. */
export function scopeListDocument(call: string, scope: ScopeInput, options: DirectoryRequest) {
  requireArguments(call, { scope });
  return { ...tenantListParameters(call, options), scope };
}

/** Returns the parameters that ask for a page, after checking the options of a call. */
export function tenantListParameters(call: string, options: DirectoryRequest) {
  refuseUnknownOptions(call, options, ['limit', 'cursor', 'signal']);
  return directoryParameters(options);
}
