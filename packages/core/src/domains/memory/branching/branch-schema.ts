/** Schemas of the documents of branches (docs/contract/branches.md). */
import * as v from 'valibot';
import { Scope } from '../../../kernel/access/scope.js';
import { CURSOR_CHARS_MAX, DIRECTORY_LIMIT_MAX, NAME_BYTES_MAX } from '../../../contract/limits.js';
import { closed, orNull } from '../../../contract/schema/document.js';
import { describedAs, named } from '../../../contract/schema/json-schema.js';
import {
  answeredVersion,
  boundedInteger,
  contractVersion,
  integer,
} from '../../../contract/schema/number.js';
import { textId } from '../../../contract/schema/text.js';
import { uuid } from '../../../contract/schema/uuid.js';
import { ChangeCursor } from '../changes/schema.js';
import { Author } from '../documents/author-schema.js';
import { BRANCH_SCOPES_MAX, boundedText } from '../documents/proposal-schema.js';
import { BRANCH_SECONDS_DEFAULT, BRANCH_SECONDS_MAX } from '../branch/branch-policy.js';

const nameOf = ({ project_id, mission_id, agent_id, visibility }: Scope): string =>
  JSON.stringify([project_id, mission_id, agent_id, visibility]);

const scopes = () =>
  v.pipe(
    v.array(Scope),
    v.minLength(1),
    v.maxLength(BRANCH_SCOPES_MAX),
    v.check((all) => new Set(all.map(nameOf)).size === all.length, 'scopes that differ'),
    describedAs({ uniqueItems: true }),
  );

/** How long a branch lives. */
export const lifetime = () =>
  v.optional(boundedInteger(1, BRANCH_SECONDS_MAX, 0), BRANCH_SECONDS_DEFAULT);

/** The query parameters of the operations on one branch. */
export const BranchParameters = closed({ contract_version: contractVersion() });

/** The body that makes a branch. */
export const NewBranch = v.pipe(
  closed({
    contract_version: contractVersion(),
    /** What people call it. */
    name: textId(NAME_BYTES_MAX),
    scopes: scopes(),
    /** The state that the branch is over; null for the current one. */
    as_of: orNull(v.pipe(closed({ cursor: ChangeCursor }), named('BranchStart'))),
    expires_in_seconds: lifetime(),
    /** Why it was made. */
    purpose: orNull(boundedText()),
  }),
  named('NewBranch'),
);

/** A branch. */
export const MemoryBranch = v.pipe(
  closed({
    id: uuid(),
    name: textId(NAME_BYTES_MAX),
    scopes: scopes(),
    /** The position that it is over. */
    position: ChangeCursor,
    created_at_millis: integer(),
    ends_at_millis: integer(),
    purpose: v.nullable(v.string()),
    author: Author,
  }),
  named('MemoryBranch'),
);
export type MemoryBranch = v.InferOutput<typeof MemoryBranch>;

/** The answer with a branch. */
export const BranchResponse = v.pipe(
  closed({ contract_version: answeredVersion, branch: MemoryBranch }),
  named('BranchResponse'),
);

/** The answer with a page of branches. */
export const BranchesResponse = v.pipe(
  closed({
    contract_version: answeredVersion,
    page: v.pipe(
      closed({
        items: v.pipe(v.array(MemoryBranch), v.maxLength(DIRECTORY_LIMIT_MAX)),
        next_cursor: v.nullable(v.pipe(v.string(), v.maxLength(CURSOR_CHARS_MAX))),
      }),
      named('BranchesPage'),
    ),
  }),
  named('BranchesResponse'),
);

/** The answer to the end of a branch. */
export const DroppedBranchResponse = v.pipe(
  closed({ contract_version: answeredVersion, dropped: v.literal(true) }),
  named('DroppedBranchResponse'),
);
