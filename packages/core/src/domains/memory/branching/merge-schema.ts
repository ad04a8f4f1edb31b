/** Schemas of differences and merges of branches (docs/contract/branches.md#bra-17). */
import * as v from 'valibot';
import { Scope } from '../../../kernel/access/scope.js';
import {
  BATCH_COMMANDS_MAX,
  CURSOR_CHARS_MAX,
  DIRECTORY_LIMIT_DEFAULT,
  DIRECTORY_LIMIT_MAX,
} from '../../../contract/limits.js';
import { closed } from '../../../contract/schema/document.js';
import { describedAs, named } from '../../../contract/schema/json-schema.js';
import {
  answeredVersion,
  boundedInteger,
  contractVersion,
  integer,
} from '../../../contract/schema/number.js';
import { textId } from '../../../contract/schema/text.js';
import { uuid } from '../../../contract/schema/uuid.js';
import { MemoryRecord } from '../documents/schema.js';

/** Records that a merge can name, and most that it writes in one commit. */
export const MERGE_RECORDS_MAX = BATCH_COMMANDS_MAX;
const DIGEST_CHARS = 43;

/** Everything that was written in the branch, as one text. */
const BranchDigest = v.pipe(v.string(), v.length(DIGEST_CHARS), named('BranchDigest'));

const Conflict = v.pipe(v.picklist(['changed', 'name_taken']), named('BranchConflictReason'));

const revisions = {
  scope: Scope,
  record_id: uuid(),
  /** What the branch changed; null where there was none. */
  base_revision: v.nullable(integer(1)),
  branch_revision: integer(1),
  /** What is outside now; null where nothing is. */
  current_revision: v.nullable(integer(1)),
};

/**
 * A record that differs, or an old revision that is redacted. Contents are null where they are
 * deleted or aren't kept.
 */
export const BranchDifference = v.pipe(
  closed({
    ...revisions,
    /** Why it can't be merged; null if it can. */
    conflict: v.nullable(Conflict),
    /** The superseded revision outside whose payload a merge takes away; null for a record. */
    redacted_revision: v.nullable(integer(1)),
    base: v.nullable(MemoryRecord),
    branch: v.nullable(MemoryRecord),
    current: v.nullable(MemoryRecord),
  }),
  named('BranchDifference'),
);
export type BranchDifference = v.InferOutput<typeof BranchDifference>;

/** The query parameters of the differences of a branch. */
export const DifferencesParameters = closed({
  contract_version: contractVersion(),
  limit: v.optional(boundedInteger(1, DIRECTORY_LIMIT_MAX), DIRECTORY_LIMIT_DEFAULT),
  cursor: v.optional(v.pipe(v.string(), v.maxLength(CURSOR_CHARS_MAX))),
});

/** The answer with a page of differences. */
export const DifferencesResponse = v.pipe(
  closed({
    contract_version: answeredVersion,
    digest: BranchDigest,
    page: v.pipe(
      closed({
        items: v.pipe(v.array(BranchDifference), v.maxLength(DIRECTORY_LIMIT_MAX)),
        next_cursor: v.nullable(v.pipe(v.string(), v.maxLength(CURSOR_CHARS_MAX))),
      }),
      named('DifferencesPage'),
    ),
  }),
  named('DifferencesResponse'),
);

/** The body of a merge. */
export const MergeRequest = v.pipe(
  closed({
    contract_version: contractVersion(),
    idempotency_key: textId(),
    digest: BranchDigest,
    /** The records to merge; absent for all. */
    records: v.optional(
      v.pipe(
        v.array(uuid()),
        v.minLength(1),
        v.maxLength(MERGE_RECORDS_MAX),
        v.check((all) => new Set(all).size === all.length, 'records that differ'),
        describedAs({ uniqueItems: true }),
      ),
    ),
    dry_run: v.optional(v.boolean(), false),
  }),
  named('MergeRequest'),
);
export type MergeRequest = v.InferOutput<typeof MergeRequest>;

/** A record that can't be merged. */
export const BranchConflict = v.pipe(
  closed({ ...revisions, reason: Conflict }),
  named('BranchConflict'),
);
export type BranchConflict = v.InferOutput<typeof BranchConflict>;

/** The answer to a merge. */
export const MergeResponse = v.pipe(
  closed({
    contract_version: answeredVersion,
    merge: v.pipe(
      closed({
        /** While it is running, call again. A dry run is `checked`, or has conflicts. */
        state: v.picklist(['merged', 'running', 'conflicts', 'checked']),
        /** Differences that this merge has merged so far. */
        merged: integer(0),
        /** Differences that are left. */
        left: integer(0),
        conflicts: v.pipe(v.array(BranchConflict), v.maxLength(MERGE_RECORDS_MAX)),
      }),
      named('MemoryMerge'),
    ),
  }),
  named('MergeResponse'),
);
export type MergeResponse = v.InferOutput<typeof MergeResponse>;
