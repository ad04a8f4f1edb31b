/** Follows the cursors of pages to their end. */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';

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
