/** Schemas of proposals, which wait for review (docs/contract/review.md). */
import * as v from 'valibot';
import { Scope } from '../../../kernel/access/scope.js';
import { NAME_BYTES_MAX } from '../../../contract/limits.js';
import { closed } from '../../../contract/schema/document.js';
import { describedAs, named } from '../../../contract/schema/json-schema.js';
import { integer } from '../../../contract/schema/number.js';
import { textId, utf8Bytes } from '../../../contract/schema/text.js';
import { uuid } from '../../../contract/schema/uuid.js';
import { Author, RecordAction } from './author-schema.js';

/** Scopes of a branch, and so of a proposal. */
export const BRANCH_SCOPES_MAX = 16;
/** Bytes of the purpose of a branch, and of the reason of a rejection. */
const BRANCH_PURPOSE_BYTES_MAX = 1_024;

/** A text of bounded size. */
export const boundedText = () =>
  v.pipe(
    v.string(),
    v.check(
      (text) => utf8Bytes(text) <= BRANCH_PURPOSE_BYTES_MAX,
      `at most ${BRANCH_PURPOSE_BYTES_MAX} UTF-8 bytes`,
    ),
  );

/** Whether a proposal waits, or what was decided. */
export const ProposalState = v.pipe(
  v.picklist(['proposed', 'merged', 'rejected']),
  named('MemoryProposalState'),
);
export type ProposalState = v.InferOutput<typeof ProposalState>;

/** Changes of a proposal that its document names. */
export const NAMED_MERGED_MAX = 32;

/** What a merge of a proposal did to a record. */
const MergedChange = v.pipe(
  closed({
    scope: Scope,
    record_id: uuid(),
    /** The revision that the merge made, or whose payload it took away. */
    revision: integer(1),
    action: RecordAction,
  }),
  named('MergedChange'),
);

/** A proposal. Its changes are those of the branch with its id. */
export const MemoryProposal = v.pipe(
  closed({
    id: uuid(),
    /** That of its branch, or its id. */
    name: textId(NAME_BYTES_MAX),
    state: ProposalState,
    scopes: v.pipe(
      v.array(Scope),
      v.minLength(1),
      v.maxLength(BRANCH_SCOPES_MAX),
      describedAs({ uniqueItems: true }),
    ),
    proposed_at_millis: integer(),
    /** How long it has waited, or had waited when it was decided. */
    age_millis: integer(),
    /** When it ends if nothing is decided. */
    ends_at_millis: integer(),
    purpose: v.nullable(v.string()),
    author: Author,
    /** Null while it waits. */
    decided_at_millis: v.nullable(integer()),
    /** Who merged or rejected it; null while it waits. */
    reviewer: v.nullable(Author),
    /** Why it was rejected; else null. */
    reason: v.nullable(v.string()),
    /** What was merged of it so far, the first changes only. */
    merged: v.pipe(v.array(MergedChange), v.maxLength(NAMED_MERGED_MAX)),
    /** How many changes were merged of it so far. */
    merged_count: integer(),
  }),
  named('MemoryProposal'),
);
export type MemoryProposal = v.InferOutput<typeof MemoryProposal>;
