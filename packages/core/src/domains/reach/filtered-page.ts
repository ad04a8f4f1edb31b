/** Pages of filtered lists, and the positions where they continue. */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import type { StoredNamespace } from '../../kernel/access/namespace.js';
import { decodeCursor, encodeCursor, staleCursor } from '../../kernel/lists/cursor.js';

/** Most entries that one page examines. */
const EXAMINED_MAX = 10_000;

/** A list of which only some entries are shown. */
interface FilteredList<R, T> {
  readonly name: string;
  readonly tenantId: string;
  readonly limit: number;
  /** Yields the entries after a position, in slices. */
  readonly slices: (after: string | undefined) => AsyncIterable<readonly R[]>;
  readonly positionOf: (entry: R) => string;
  readonly isPosition: (text: string) => boolean;
  /** Returns the shown form, or `undefined` to leave an entry out. */
  readonly show: (entry: R) => T | undefined | Promise<T | undefined>;
  /** Whether enough work was done for one page. Default: never. */
  readonly isEnough?: () => boolean;
}

/**
 * Returns a page. It has a cursor unless the end of the list was reached.
 *
 * @throws {AgentkeepError} `invalid_request` for a cursor of another list.
 */
export async function filteredPage<R, T>(cursor: string | undefined, list: FilteredList<R, T>) {
  const identity = { list: list.name, tenantId: list.tenantId };
  const after = cursor === undefined ? undefined : decodeCursor(identity, cursor);
  if (after !== undefined && !list.isPosition(after)) {
    throw new AgentkeepError('invalid_request', { members: [staleCursor] });
  }
  const items: T[] = [];
  let examined = 0;
  let last: string | undefined;
  for await (const slice of list.slices(after)) {
    for (const entry of slice) {
      const isFull =
        items.length === list.limit || examined === EXAMINED_MAX || list.isEnough?.() === true;
      if (isFull && last !== undefined) return answer(items, encodeCursor(identity, last));
      examined += 1;
      last = list.positionOf(entry);
      const shown = await list.show(entry);
      if (shown !== undefined) items.push(shown);
    }
  }
  return answer(items, null);
}

function answer<T>(items: T[], next_cursor: string | null) {
  return { contract_version: CONTRACT_VERSION, page: { items, next_cursor } };
}

const HEX = /^[\da-f]{64}$/;

/** How lists of namespaces write their positions. */
export const digestPositions = {
  positionOf: ({ digest }: Pick<StoredNamespace, 'digest'>): string =>
    Buffer.from(digest).toString('hex'),
  isPosition: (text: string): boolean => HEX.test(text),
};

/** Returns the digest of a position; `undefined` for the start. */
export function digestAt(position: string | undefined): Uint8Array | undefined {
  return position === undefined ? undefined : Buffer.from(position, 'hex');
}
