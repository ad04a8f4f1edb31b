/** The bounds of imports (docs/contract/exports.md#xpt-14), and why an import refuses lines. */
import { VALUE_BYTES_MAX } from '../../storage/store/store.js';

/** Most UTF-16 units of lines in one request. */
export const IMPORT_TEXT_MAX = 2_097_152;

/** Longest body of a request, in bytes. */
export const IMPORT_BYTES_MAX = 8_388_608;

/** Most refused lines that an answer names. */
export const IMPORT_PROBLEMS_MAX = 100;

/**
 * Greatest revision of a line, and greatest number of anything else that goes on counting: 2^47. A
 * revision has 48 bits in the feed, so there is room for as many further changes.
 */
export const IMPORT_COUNT_MAX = 2 ** 47;

/** Most bytes of a stored value. Commands make none that is larger; encryption adds some bytes. */
export const IMPORT_VALUE_BYTES_MAX = VALUE_BYTES_MAX - 1_024;

/** Why a line was not stored. */
export const problemReasons = [
  /** It is no line of an export, or its digests don't verify. */
  'invalid',
  /** No line before it and no stored scope says which scope it is of. */
  'unknown_scope',
  /** It names its tenant in a digest, and that is another one. */
  'other_tenant',
  /** The policy, the context or the procedure that it refers to is missing. */
  'missing_definition',
  /** Something else is stored under its id. */
  'conflict',
  /** Another record of the scope, or another branch of its author, has its name. */
  'name_taken',
  /** The branch has ended. */
  'branch_ended',
  /** The tenant, or a scope, has as many branches as it can have. */
  'branch_limit',
  /** Its scope, its subject or its tenant was erased after it was exported. */
  'erased',
  /** Changes of its scope have to be reviewed, and the caller may not review. */
  'review_required',
] as const;

/** Why a line was not stored. */
export type ProblemReason = (typeof problemReasons)[number];
