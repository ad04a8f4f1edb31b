/**
 * Classifies database errors and maps them to errors of the catalogue.
 */
import { AgentkeepError } from '@agentkeep/core/store';

/** No connection could be opened, so nothing was sent. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';

  constructor(cause: unknown) {
    super('The database is unreachable.', { cause });
  }
}

/** On a copy of the database, writes and look-ups fail with it. */
const READ_ONLY = '25006';

/** SQLSTATEs after which a retry of the same transaction may succeed. */
const TRANSIENT = new Set([
  '23514', // check_violation: the lane does not hold the expected commit
  READ_ONLY, // read_only_sql_transaction: a copy, and the next connection may reach the primary
  '40001', // serialization_failure
  '40P01', // deadlock_detected
  '53200', // out_of_memory: also when the lock table is full
  '55P03', // lock_not_available: the wait for a lock timed out
]);

const DISK_FULL = '53100';
const QUERY_CANCELED = '57014';
const UNDEFINED_TABLE = '42P01';
const UNDEFINED_COLUMN = '42703';
const UNDEFINED_FUNCTION = '42883';

/** SQLSTATEs of a named statement that this connection lacks, or already has. */
const MISSING_STATEMENT_CODES = new Set(['26000', '42P05']);

/** The error of PgBouncer when a connection sets limits at its start. */
const REFUSED_LIMIT = /unsupported startup parameter: (?:statement|lock)_timeout/;

const MESSAGES = new Map([
  [
    READ_ONLY,
    'The database that answers is a copy or takes no writes, so nothing was done. Retry; if it ' +
      'persists, check that the address leads to the primary.',
  ],
  [DISK_FULL, 'The database has no space left, so nothing was written. Free space and retry.'],
  [QUERY_CANCELED, 'The database took too long, so nothing was written. Retry under less load.'],
]);

const REFUSED =
  'The database reported an error, so nothing was written. Retry; then check its log.';

const POOLER_NOT_CONFIGURED =
  'The database is behind a connection pooler, and nothing was written. Set the option ' +
  'pooler: true of the store, or add pooler=true to its URL, and leave prepare out.';

const UNREACHABLE =
  'The database is unreachable, so nothing was written. Retry; if it persists, check that it runs.';

/** Returns the SQLSTATE of an error that the database reported, or `undefined`. */
export function sqlStateOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  // Errors of Node have codes as well, but no severity.
  return 'severity' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Whether the connection broke, so that the outcome of the statement is unknown. */
export function isLost(error: unknown): boolean {
  if (error instanceof UnreachableError || error instanceof AgentkeepError) return false;
  const state = sqlStateOf(error);
  if (state === undefined) return true;
  const severity = error instanceof Error && 'severity' in error ? error.severity : undefined;
  return severity === 'FATAL' || severity === 'PANIC' || /^(?:08|57P)/.test(state);
}

/** Whether the connection leads to a copy of the database, and so must not be used again. */
export function isOfCopy(error: unknown): boolean {
  return sqlStateOf(error) === READ_ONLY;
}

/** Whether a retry may succeed. */
export function isTransient(error: unknown): boolean {
  return TRANSIENT.has(sqlStateOf(error) ?? '');
}

/** Whether tables, columns or functions are missing. */
export function isUninstalled(error: unknown): boolean {
  return [UNDEFINED_TABLE, UNDEFINED_COLUMN, UNDEFINED_FUNCTION].includes(sqlStateOf(error) ?? '');
}

/** Returns the catalogue error for a caller, with the database error as its cause. */
export function storeFailure(error: unknown): AgentkeepError {
  if (error instanceof AgentkeepError) return error;
  const code = sqlStateOf(error) === DISK_FULL ? 'store_full' : 'store_unavailable';
  return new AgentkeepError(code, { cause: error, message: messageOf(error) });
}

function messageOf(error: unknown): string {
  if (isPoolerNotConfigured(error)) return POOLER_NOT_CONFIGURED;
  if (isLost(error) || error instanceof UnreachableError) return UNREACHABLE;
  return MESSAGES.get(sqlStateOf(error) ?? '') ?? REFUSED;
}

/** Whether a pooler rejected a setting that only a direct connection supports. */
function isPoolerNotConfigured(error: unknown): boolean {
  if (MISSING_STATEMENT_CODES.has(sqlStateOf(error) ?? '')) return true;
  if (!(error instanceof UnreachableError)) return false;
  return error.cause instanceof Error && REFUSED_LIMIT.test(error.cause.message);
}

/** Returns the error for a commit whose outcome could not be determined in time. */
export function unknownOutcome(cause: unknown): AgentkeepError {
  return new AgentkeepError('store_unavailable', {
    cause: new Error('The connection broke during a commit whose outcome is unknown.', { cause }),
    message:
      'It is unknown whether the change was stored, because the connection to the database broke ' +
      'during the commit. Send the same request with the same idempotency key again.',
  });
}
