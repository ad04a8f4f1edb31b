/**
 * What errors of the database mean.
 * @module
 */
import { AgentkeepError } from '@agentkeep/core/store';

/** No connection was to be had, so nothing was sent. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';

  constructor(cause: unknown) {
    super('The database is out of reach.', { cause });
  }
}

/** Codes of PostgreSQL after which the same transaction may well succeed. */
const TRANSIENT = new Set([
  '23514', // check_violation: the lane of this server stands elsewhere
  '40001', // serialization_failure
  '40P01', // deadlock_detected
  '53200', // out_of_memory: also when there is no room for another lock
  '55P03', // lock_not_available: the wait for a lock took too long
]);

const DISK_FULL = '53100';
const QUERY_CANCELED = '57014';
const UNDEFINED_TABLE = '42P01';
const UNDEFINED_FUNCTION = '42883';

/** Codes of a named statement that is not on this connection, or is there already. */
const MISPLACED = new Set(['26000', '42P05']);

/** What PgBouncer says to the limits that a store sets where it knows of no pooler. */
const REFUSED_LIMIT = /unsupported startup parameter: (?:statement|lock)_timeout/;

const MESSAGES = new Map([
  [DISK_FULL, 'The database has no space left, so nothing was written. Free some and retry.'],
  [QUERY_CANCELED, 'The database took too long and nothing was written. Retry when it is idle.'],
]);

const REFUSED = 'The database refused, so nothing was written. Retry; if it persists, see its log.';

const POOLER_UNTOLD =
  'A pooler lies before the database, and nothing was written. Tell the store: set its option ' +
  'pooler: true, or put pooler=true among the parameters of its URL, and leave prepare out.';

const OUT_OF_REACH =
  'The database is out of reach and nothing was written. Retry; if it persists, check that it runs.';

/** The SQLSTATE of an error that the server reported. */
export function sqlStateOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  // Errors of Node have codes as well, and are told apart by their severity.
  return 'severity' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Whether the connection broke, so that nobody knows what became of what was sent. */
export function isLost(error: unknown): boolean {
  if (error instanceof UnreachableError || error instanceof AgentkeepError) return false;
  const state = sqlStateOf(error);
  if (state === undefined) return true;
  const severity = error instanceof Error && 'severity' in error ? error.severity : undefined;
  return severity === 'FATAL' || severity === 'PANIC' || /^(?:08|57P)/.test(state);
}

/** Whether the server refused for now, and another attempt makes sense. */
export function isTransient(error: unknown): boolean {
  return TRANSIENT.has(sqlStateOf(error) ?? '');
}

/** Whether the tables or functions are not there. */
export function isUninstalled(error: unknown): boolean {
  return [UNDEFINED_TABLE, UNDEFINED_FUNCTION].includes(sqlStateOf(error) ?? '');
}

/** The error of the catalogue that a caller gets; what the database said is its cause. */
export function storeFailure(error: unknown): AgentkeepError {
  if (error instanceof AgentkeepError) return error;
  const code = sqlStateOf(error) === DISK_FULL ? 'store_full' : 'store_unavailable';
  return new AgentkeepError(code, { cause: error, message: messageOf(error) });
}

function messageOf(error: unknown): string {
  if (isPoolerUntold(error)) return POOLER_UNTOLD;
  if (isLost(error) || error instanceof UnreachableError) return OUT_OF_REACH;
  return MESSAGES.get(sqlStateOf(error) ?? '') ?? REFUSED;
}

/** Whether a pooler refuses what is only said to a database itself. */
function isPoolerUntold(error: unknown): boolean {
  if (MISPLACED.has(sqlStateOf(error) ?? '')) return true;
  if (!(error instanceof UnreachableError)) return false;
  return error.cause instanceof Error && REFUSED_LIMIT.test(error.cause.message);
}

/** For a change whose commit broke off, where the database could not be asked in time. */
export function unknownOutcome(cause: unknown): AgentkeepError {
  return new AgentkeepError('store_unavailable', {
    cause: new Error('The connection broke during a commit whose outcome is unknown.', { cause }),
    message:
      'Whether the change was stored is unknown, because the database went away during its ' +
      'commit. Send the same request with the same idempotency key again.',
  });
}
