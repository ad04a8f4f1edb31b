/** Schemas of the documents of the change feed (docs/contract/changes.md). */
import * as v from 'valibot';
import { MemoryScope, Visibility } from '../../../kernel/access/scope.js';
import {
  CHANGE_CURSOR_CHARS,
  CHANGES_LIMIT_DEFAULT,
  CHANGES_LIMIT_MAX,
  CHANGES_WAIT_MILLIS_MAX,
} from '../../../contract/limits.js';
import { closed } from '../../../contract/schema/document.js';
import { named } from '../../../contract/schema/json-schema.js';
import {
  answeredVersion,
  boundedInteger,
  contractVersion,
  integer,
} from '../../../contract/schema/number.js';
import { textId } from '../../../contract/schema/text.js';
import { uuid } from '../../../contract/schema/uuid.js';
import { Author, RecordAction } from '../documents/author-schema.js';
import { MemoryProposal, ProposalState } from '../documents/proposal-schema.js';
import { Receipt } from '../documents/schema.js';

/** The query parameters of a page of changes. The members of a scope come together or not. */
export const ChangeParameters = closed({
  contract_version: contractVersion(),
  project_id: v.optional(textId()),
  mission_id: v.optional(textId()),
  agent_id: v.optional(textId()),
  visibility: v.optional(Visibility),
  branch: v.optional(uuid()),
  /** A cursor, or `latest`: after everything that is committed now. */
  after: v.optional(v.pipe(v.string(), v.maxLength(CHANGE_CURSOR_CHARS))),
  limit: v.optional(boundedInteger(1, CHANGES_LIMIT_MAX, 0), CHANGES_LIMIT_DEFAULT),
  wait_millis: v.optional(boundedInteger(0, CHANGES_WAIT_MILLIS_MAX, 0), 0),
  /** Whether the page says what happened to proposals too. */
  proposals: v.optional(v.picklist(['include', 'omit']), 'omit'),
});
export type ChangeParameters = v.InferOutput<typeof ChangeParameters>;

/** A position in the changes of a tenant. Its text differs each time that it is shown. */
export const ChangeCursor = v.pipe(
  v.string(),
  v.length(CHANGE_CURSOR_CHARS),
  named('ChangeCursor'),
);

/** A committed change of a record, without its content. */
export const CommittedChange = v.pipe(
  closed({
    cursor: ChangeCursor,
    scope: MemoryScope,
    record_id: Receipt.entries.record_id,
    revision: Receipt.entries.revision,
    action: RecordAction,
    committed_at_millis: integer(),
  }),
  named('CommittedChange'),
);
export type CommittedChange = v.InferOutput<typeof CommittedChange>;

/** What happened to a proposal, without what it changes. */
const ProposalChange = v.pipe(
  closed({
    cursor: ChangeCursor,
    proposal_id: uuid(),
    scopes: MemoryProposal.entries.scopes,
    state: ProposalState,
    author: Author,
    /** Why it was rejected; else null. */
    reason: v.nullable(v.string()),
    committed_at_millis: integer(),
  }),
  named('ProposalChange'),
);

/** One page of changes. */
export const ChangePage = v.pipe(
  closed({
    changes: v.pipe(v.array(CommittedChange), v.maxLength(CHANGES_LIMIT_MAX)),
    /** What happened to proposals meanwhile; absent unless it was asked for. */
    proposals: v.optional(v.pipe(v.array(ProposalChange), v.maxLength(CHANGES_LIMIT_MAX))),
    next_after: ChangeCursor,
    /** Whether the next page may have changes already. */
    has_more: v.boolean(),
  }),
  named('ChangePage'),
);
export type ChangePage = v.InferOutput<typeof ChangePage>;

/** The answer with changes. */
export const ChangesResponse = v.pipe(
  closed({ contract_version: answeredVersion, page: ChangePage }),
  named('ChangesResponse'),
);
