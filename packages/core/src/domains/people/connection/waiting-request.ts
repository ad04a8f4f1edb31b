/**
 * Requests of programs that wait for a person. Each is answered once, and its answer goes to the
 * program once; until it expires it is known that this happened.
 */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import type { JsonValue } from '../../../contract/schema/json-value.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import {
  findGrantEntry,
  grantEntryDigest,
  putGrantEntry,
  putWaitingEntry,
} from './grant-entry-store.js';
import type { WaitingOwner } from './grant-slots.js';

const KIND = 'Interaction';

/** How far a request is: a person has to answer, has answered, or the program has the answer. */
export type RequestState = 'waiting' | 'answered' | 'closed';

/** A request to store. */
interface NewRequest {
  readonly payload: JsonValue;
  readonly endsAtMillis: number;
  readonly nowMs: number;
  /** The person at the browser that began it. */
  readonly owner: WaitingOwner | undefined;
}

/**
 * Stores a new request, for which the oldest ones of its owner give way, or changes one.
 *
 * @throws {AgentkeepError} `unauthorized` for a request that is closed.
 */
export function putRequest(
  tx: WriteTx,
  id: string,
  { payload, endsAtMillis, nowMs, owner }: NewRequest,
): void {
  const digest = grantEntryDigest(KIND, id);
  const known = findGrantEntry(tx, digest, nowMs);
  if (known?.payload === null) throw new AgentkeepError('unauthorized');
  if (known !== undefined) {
    putGrantEntry(tx, digest, { ...known, payload });
    return;
  }
  if (owner === undefined) throw new Error('A request is begun by a person.');
  const draft = { kind: KIND, payload, expiresAtMillis: endsAtMillis, answeredAtMillis: null };
  putWaitingEntry(tx, digest, draft, owner);
}

/** Returns how far a request is, or `undefined`. */
export function requestState(tx: ReadTx, id: string, nowMs: number): RequestState | undefined {
  const entry = findGrantEntry(tx, grantEntryDigest(KIND, id), nowMs);
  if (entry === undefined) return undefined;
  if (entry.payload === null) return 'closed';
  return entry.answeredAtMillis === null ? 'waiting' : 'answered';
}

/** Takes a request for its answer. Returns whether it still waited. */
export function takeRequest(tx: WriteTx, id: string, nowMs: number): boolean {
  const digest = grantEntryDigest(KIND, id);
  const entry = findGrantEntry(tx, digest, nowMs);
  if (entry === undefined || entry.payload === null || entry.answeredAtMillis !== null) {
    return false;
  }
  putGrantEntry(tx, digest, { ...entry, answeredAtMillis: nowMs });
  return true;
}

/** Lets a request wait again. */
export function returnRequest(tx: WriteTx, id: string, nowMs: number): void {
  const digest = grantEntryDigest(KIND, id);
  const entry = findGrantEntry(tx, digest, nowMs);
  if (entry !== undefined) putGrantEntry(tx, digest, { ...entry, answeredAtMillis: null });
}

/** Closes a request, and forgets what it asked for. Returns whether it was open. */
export function closeRequest(tx: WriteTx, id: string, nowMs: number): boolean {
  const digest = grantEntryDigest(KIND, id);
  const entry = findGrantEntry(tx, digest, nowMs);
  if (entry === undefined || entry.payload === null) return false;
  putGrantEntry(tx, digest, { ...entry, payload: null, answeredAtMillis: nowMs });
  return true;
}
