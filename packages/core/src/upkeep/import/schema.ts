/** Schemas of the documents of imports (docs/contract/exports.md). */
import * as v from 'valibot';
import { IMPORT_PROBLEMS_MAX, IMPORT_TEXT_MAX } from '../lines/import-limits.js';
import { problemReasons } from '../lines/problem-reasons.js';
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
