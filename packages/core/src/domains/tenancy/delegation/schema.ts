/** Documents of delegation (docs/contract/delegation.md). */
import * as v from 'valibot';
import { Capability } from '../../../kernel/access/capability.js';
import { CompanyScopePolicy } from '../../../kernel/access/scope.js';
import {
  CURSOR_CHARS_MAX,
  DIRECTORY_LIMIT_MAX,
  SUBJECT_TOKEN_SECONDS_DEFAULT,
  SUBJECT_TOKEN_SECONDS_MAX,
  SUBJECT_TOKEN_SECONDS_MIN,
} from '../../../contract/limits.js';
import { closed, orNull } from '../../../contract/schema/document.js';
import { named } from '../../../contract/schema/json-schema.js';
import {
  administrationVersion,
  answeredVersion,
  boundedInteger,
  contractVersion,
  integer,
} from '../../../contract/schema/number.js';
import { textId } from '../../../contract/schema/text.js';
import { uuid } from '../../../contract/schema/uuid.js';

/** The body that asks for a token of a subject. */
export const SubjectTokenRequest = v.pipe(
  closed({
    contract_version: contractVersion(),
    /** The subject to act for. */
    subject_id: textId(),
    /** How long the token lives, 60 to 900. */
    expires_in_seconds: v.optional(
      boundedInteger(SUBJECT_TOKEN_SECONDS_MIN, SUBJECT_TOKEN_SECONDS_MAX, 0),
      SUBJECT_TOKEN_SECONDS_DEFAULT,
    ),
  }),
  named('SubjectTokenRequest'),
);

/** A token that acts for a subject. */
export const SubjectTokenResponse = v.pipe(
  closed({
    contract_version: answeredVersion,
    access_token: v.string(),
    /** `DPoP` if the credential has a key, which each call has to prove beside the token. */
    token_type: v.picklist(['Bearer', 'DPoP']),
    /** Seconds that the token lives. */
    expires_in: integer(),
  }),
  named('SubjectTokenResponse'),
);

const limits = {
  /** Whether nothing may act for the subject, nor the subject itself. */
  is_blocked: v.boolean(),
  /** What may be done for the subject at most. Null for no limit. */
  capabilities: v.nullable(v.array(Capability)),
  /** Where something may be done for the subject at most. Null for no limit. */
  scope_policy: v.nullable(CompanyScopePolicy),
};

/** The body that states the limits of a subject. */
export const PutSubjectRequest = v.pipe(
  closed({
    contract_version: administrationVersion(),
    /** 0 for a subject of which nothing is stored. */
    expected_revision: integer(),
    is_blocked: v.optional(limits.is_blocked, false),
    capabilities: orNull(v.array(Capability)),
    scope_policy: orNull(CompanyScopePolicy),
    /** Why, for other administrators. The subject never sees it. */
    reason: orNull(textId()),
  }),
  named('PutSubjectRequest'),
);

/** What is stored of a subject. */
export const Subject = v.pipe(
  closed({
    subject_id: textId(),
    revision: integer(1),
    ...limits,
    /** The reason that was given with this revision, or null. */
    reason: v.nullable(textId()),
    updated_at_millis: integer(),
    /** Id of the credential that made this revision. */
    updated_by: uuid(),
  }),
  named('Subject'),
);
export type Subject = v.InferOutput<typeof Subject>;

/** The answer that shows a subject. */
export const SubjectResponse = v.pipe(
  closed({ contract_version: answeredVersion, subject: Subject }),
  named('SubjectResponse'),
);

/** One page of the subjects of a tenant of which something is stored. */
export const DirectorySubjectsResponse = v.pipe(
  closed({
    contract_version: answeredVersion,
    page: closed({
      items: v.pipe(v.array(Subject), v.maxLength(DIRECTORY_LIMIT_MAX)),
      next_cursor: v.nullable(v.pipe(v.string(), v.maxLength(CURSOR_CHARS_MAX))),
    }),
  }),
  named('DirectorySubjectsResponse'),
);
