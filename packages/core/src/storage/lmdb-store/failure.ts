/**
 * The failures of a store on disk as errors of the catalogue.
 * @module
 */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import type { ErrorCode } from '../../contract/errors/catalogue.js';

/** Codes with which LMDB says that a file is not one that it can use. */
const UNUSABLE_FILE = new Set<unknown>([
  -30_797, // MDB_PAGE_NOTFOUND
  -30_796, // MDB_CORRUPTED
  -30_794, // MDB_VERSION_MISMATCH
  -30_793, // MDB_INVALID
]);

/**
 * An error of the catalogue whose `cause` tells an operator what exactly was wrong: one sentence
 * for logs, which may name paths but never contents.
 */
export function storeError(code: ErrorCode, detail: string, cause?: unknown): AgentkeepError {
  return new AgentkeepError(code, { cause: new Error(detail, { cause }) });
}

/** What a failed read of an open store means to its caller. */
export function readFailure(cause: unknown): AgentkeepError {
  if (cause instanceof AgentkeepError) return cause;
  const code = UNUSABLE_FILE.has(codeOf(cause)) ? 'storage_inconsistency' : 'store_unavailable';
  return new AgentkeepError(code, { cause });
}

/** What a failure on the files of a store, around an opening or a copy, means to its caller. */
export function fileFailure(cause: unknown): AgentkeepError {
  if (cause instanceof AgentkeepError) return cause;
  const code = UNUSABLE_FILE.has(codeOf(cause)) ? 'store_incompatible' : 'store_unavailable';
  return new AgentkeepError(code, { cause });
}

/** Bytes, with the closing zero, that LMDB sets apart for a text, which it then never measures. */
const WRITE_TEXT_BYTES = 100;

/**
 * Whether LMDB has written beyond its own memory while it described a failed write of a page (seen
 * in lmdb 3.5.6). Whatever lies behind may be altered, so the process has to end.
 */
export function hasOverrunMemory(cause: unknown): boolean {
  const [text] =
    /Attempting to write page .*/s.exec(cause instanceof Error ? cause.message : '') ?? [];
  return text !== undefined && text.length + 1 > WRITE_TEXT_BYTES;
}

/** The `code` of an error of Node or of LMDB. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
