/** Translates failures of a store on disk to errors of the catalogue. */
import { constants } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';

/** LMDB error codes for unusable files. */
const UNUSABLE_FILE = new Set<unknown>([
  -30_797, // MDB_PAGE_NOTFOUND
  -30_796, // MDB_CORRUPTED
  -30_794, // MDB_VERSION_MISMATCH
  -30_793, // MDB_INVALID
]);

/** Codes of the system for a path that is no directory, or one that can't be written. */
const UNUSABLE_PATH = new Set<unknown>(['EACCES', 'EEXIST', 'ENOTDIR', 'EPERM', 'EROFS']);

/** LMDB gives the numbers of such codes. */
const CODE_OF_NUMBER = new Map<unknown, string>(
  (['EACCES', 'EPERM', 'EROFS'] as const).map((name) => [constants.errno[name], name]),
);

function unusablePath(code: string): string {
  if (code === 'EEXIST' || code === 'ENOTDIR') {
    return `The data directory cannot be used (${code}). Name a directory that this user may write to.`;
  }
  return (
    `The data directory can't be written (${code}). Give it to this user, mount it for writing, or ` +
    'name another one.'
  );
}

/** Translates the failure of a read of an open store. */
export function readFailure(cause: unknown): AgentkeepError {
  if (cause instanceof AgentkeepError) return cause;
  const code = UNUSABLE_FILE.has(codeOf(cause)) ? 'storage_inconsistency' : 'store_unavailable';
  return new AgentkeepError(code, { cause });
}

/** Translates a failure on the files of a store, while it is opened or copied. */
export function fileFailure(cause: unknown): AgentkeepError {
  if (cause instanceof AgentkeepError) return cause;
  const given = codeOf(cause);
  const code = CODE_OF_NUMBER.get(given) ?? given;
  if (UNUSABLE_FILE.has(code)) return new AgentkeepError('store_incompatible', { cause });
  const options = UNUSABLE_PATH.has(code) ? { message: unusablePath(String(code)) } : {};
  return new AgentkeepError('store_unavailable', { ...options, cause });
}

/**
 * Returns why a commit on a thread of LMDB failed. The `lmdb` package reports that beside its
 * error, as a promise that it rejects at the same time.
 */
export async function causeOfCommitFailure(error: unknown): Promise<unknown> {
  if (!(error instanceof Error && 'commitError' in error)) return error;
  try {
    // The promise never settles if the package knows no reason.
    await Promise.race([error.commitError, setImmediate()]);
    return error;
  } catch (cause) {
    return cause;
  }
}

/** Size of LMDB's buffer for a message, with its final zero. LMDB does not check the length. */
const WRITE_TEXT_BYTES = 100;

/**
 * Returns whether LMDB overran that buffer while it described a failed page write (seen in lmdb
 * 3.5.6). Any memory may be damaged then, so the process must end.
 */
export function hasOverrunMemory(cause: unknown): boolean {
  const [text] =
    /Attempting to write page .*/s.exec(cause instanceof Error ? cause.message : '') ?? [];
  return text !== undefined && text.length + 1 > WRITE_TEXT_BYTES;
}

/** Returns the `code` of an error of Node or of LMDB. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
