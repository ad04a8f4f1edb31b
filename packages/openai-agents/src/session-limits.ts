/** The limits of one session. */
import { UserError } from '@openai/agents-core';

/** Bytes of items beside the head, before they move into a page of their own. */
export const TAIL_BYTES_MAX = 32_768;
/** Bytes of one change, as it is sent: what a batch of memory may have, less its frame. */
export const CHANGE_BYTES_MAX = 1_040_000;
/** Pages of a session; with those of operations, one batch can remove them all. */
export const PAGES_MAX = 200;
/** Applied operations beside the head, before they move into a page of their own. */
export const OPERATIONS_MAX = 256;
/** Pages of applied operations. */
export const OPERATION_PAGES_MAX = 50;

/** Which limit a session met. */
export type SessionLimit = 'change_bytes' | 'pages' | 'operations';

const messages: Readonly<Record<SessionLimit, string>> = {
  change_bytes: 'One change of a session has up to 1 MiB. Add fewer or smaller items at a time.',
  pages: 'The session is full. Compact or clear it, or begin another one.',
  operations: 'The session has as many applied operations as it can remember. Begin another one.',
};

/** Thrown when a change is refused because it is beyond a limit; nothing was changed. */
export class SessionLimitError extends UserError {
  override readonly name: string = 'SessionLimitError';
  /** The limit that was met. */
  readonly limit: SessionLimit;

  constructor(limit: SessionLimit) {
    super(messages[limit]);
    this.limit = limit;
  }
}
