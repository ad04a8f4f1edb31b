/** Schemas of the documents of imports (docs/contract/exports.md). */
import * as v from 'valibot';
import { IMPORT_PROBLEMS_MAX, IMPORT_TEXT_MAX } from './import-limits.js';
import { closed } from '../../contract/schema/document.js';
import { named } from '../../contract/schema/json-schema.js';
import { answeredVersion, contractVersion, integer } from '../../contract/schema/number.js';

/** The body of `importMemory`. */
export const ImportRequest = v.pipe(
  closed({
    contract_version: contractVersion(),
    /** Complete lines of an export. */
    text: v.pipe(v.string(), v.maxLength(IMPORT_TEXT_MAX)),
    /** Whether nothing is stored, only what would happen is answered. */
    dry_run: v.optional(v.boolean(), false),
  }),
  named('ImportRequest'),
);
export type ImportRequest = v.InferOutput<typeof ImportRequest>;

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

const ImportProblem = v.pipe(
  closed({
    /** From 1, among the lines of the request. */
    line: integer(1),
    reason: v.picklist(problemReasons),
  }),
  named('ImportProblem'),
);

/** How the lines were treated. */
export const ImportOutcome = v.pipe(
  closed({
    stored: integer(),
    unchanged: integer(),
    /** Lines that were not stored. */
    refused: integer(),
    /** The first of them. */
    problems: v.pipe(v.array(ImportProblem), v.maxLength(IMPORT_PROBLEMS_MAX)),
  }),
  named('ImportOutcome'),
);
export type ImportOutcome = v.InferOutput<typeof ImportOutcome>;

/** The answer of `importMemory`. */
export const ImportResponse = v.pipe(
  closed({ contract_version: answeredVersion, outcome: ImportOutcome }),
  named('ImportResponse'),
);
