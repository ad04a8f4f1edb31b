/** The id that connects a request with its log lines and audit events. */
import { randomUUID } from 'node:crypto';

const USABLE = /^[\x21-\x7e]{1,128}$/;

/** Returns the caller's id if it is 1 to 128 visible ASCII characters, else a new one. */
export function requestIdOf(header: string | null): string {
  return header !== null && USABLE.test(header) ? header : randomUUID();
}
