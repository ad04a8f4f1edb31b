/** Reads the parts of a cursor. Anyone can forge the digest of a cursor, so all are checked. */
import { AgentkeepError } from '../../../../contract/errors/agentkeep-error.js';
import { staleCursor } from '../../../../kernel/lists/cursor.js';

/** Reads bytes from their start to their end. */
export class CursorReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Whether all bytes were read. */
  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  /**
   * Returns the next bytes.
   *
   * @throws {AgentkeepError} `invalid_request` if fewer are left.
   */
  next(size: number): Buffer {
    const end = this.#at + size;
    if (end > this.#bytes.length) throw stale();
    const part = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return part;
  }

  /**
   * Returns the index of one of the scopes of a search.
   *
   * @throws {AgentkeepError} `invalid_request` for an index beyond them.
   */
  scope(scopes: number): number {
    const scope = this.next(1).readUInt8();
    if (scope >= scopes) throw stale();
    return scope;
  }
}

/** Returns the error for a cursor of another search. */
export function stale(): AgentkeepError {
  return new AgentkeepError('invalid_request', { members: [staleCursor] });
}
