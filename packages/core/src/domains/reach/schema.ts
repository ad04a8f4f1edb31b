/** Documents of listings of access (docs/contract/access.md). */
import * as v from 'valibot';
import { Capability } from '../../kernel/access/capability.js';
import { Scope } from '../../kernel/access/scope.js';
import { SubjectSelector } from '../../kernel/access/subject-selector.js';
import {
  CURSOR_CHARS_MAX,
  DIRECTORY_LIMIT_DEFAULT,
  DIRECTORY_LIMIT_MAX,
} from '../../contract/limits.js';
import { closed, orNull } from '../../contract/schema/document.js';
import { named } from '../../contract/schema/json-schema.js';
import {
  administrationVersion,
  answeredVersion,
  boundedInteger,
  integer,
} from '../../contract/schema/number.js';
import { textId } from '../../contract/schema/text.js';
import { uuid } from '../../contract/schema/uuid.js';
import { CredentialSpecRequest } from '../tenancy/credential/schema.js';

/** Most ids of credentials that a scope in reach names. */
export const NAMED_CREDENTIALS_MAX = 100;

const next_cursor = v.nullable(v.pipe(v.string(), v.maxLength(CURSOR_CHARS_MAX)));

const paging = {
  contract_version: administrationVersion(),
  limit: v.optional(boundedInteger(1, DIRECTORY_LIMIT_MAX), DIRECTORY_LIMIT_DEFAULT),
  cursor: v.optional(v.pipe(v.string(), v.maxLength(CURSOR_CHARS_MAX))),
};

/** A scope, and whose it is if it is private. */
const place = {
  scope: Scope,
  /** The subject of a private scope; null for a shared one. */
  subject_id: v.nullable(textId()),
};

/** A scope in which something was stored. */
export const CountedScope = v.pipe(
  closed({
    ...place,
    /** Records that are not deleted. */
    records: integer(),
    /** Deleted records of which something is still stored. */
    deleted_records: integer(),
    /** When the latest of them was written. Null without any. */
    last_change_at_millis: v.nullable(integer()),
  }),
  named('CountedScope'),
);
export type CountedScope = v.InferOutput<typeof CountedScope>;

/** One page of the scopes of a tenant. */
export const ScopesResponse = v.pipe(
  closed({
    contract_version: answeredVersion,
    page: closed({
      items: v.pipe(v.array(CountedScope), v.maxLength(DIRECTORY_LIMIT_MAX)),
      next_cursor,
    }),
  }),
  named('ScopesResponse'),
);

/** A subject that a tenant knows. */
export const KnownSubject = v.pipe(
  closed({
    subject_id: textId(),
    /** Credentials of the subject that are live. */
    live_credentials: integer(),
    /** Credentials of the subject that ended. */
    ended_credentials: integer(),
    /** Private scopes of the subject in which something was stored. */
    private_scopes: integer(),
    /** Whether nothing may act for the subject. */
    is_blocked: v.boolean(),
  }),
  named('KnownSubject'),
);
export type KnownSubject = v.InferOutput<typeof KnownSubject>;

/** One page of the subjects that a tenant knows. */
export const KnownSubjectsResponse = v.pipe(
  closed({
    contract_version: answeredVersion,
    page: closed({
      items: v.pipe(v.array(KnownSubject), v.maxLength(DIRECTORY_LIMIT_MAX)),
      next_cursor,
    }),
  }),
  named('KnownSubjectsResponse'),
);

/** Asks which scopes a subject can reach, or a credential that is not issued yet. */
export const ReachRequest = v.pipe(
  closed({
    ...paging,
    /** The subject, with all its live credentials. */
    subject_id: orNull(textId()),
    /** The spec of a credential that is not issued. */
    spec: orNull(CredentialSpecRequest),
  }),
  v.check(
    ({ subject_id, spec }) => (subject_id === null) !== (spec === null),
    'either subject_id or spec',
  ),
  named('ReachRequest'),
);

/** A scope in reach. */
export const ReachedScope = v.pipe(
  closed({
    ...place,
    /** What may be done there, by all these credentials together. */
    capabilities: v.array(Capability),
    /** The credentials that reach it, at most 100; none for a spec. */
    credential_ids: v.pipe(v.array(uuid()), v.maxLength(NAMED_CREDENTIALS_MAX)),
  }),
  named('ReachedScope'),
);
export type ReachedScope = v.InferOutput<typeof ReachedScope>;

/** One page of the scopes in reach. It may be short or empty and have a next one. */
export const ReachResponse = v.pipe(
  closed({
    contract_version: answeredVersion,
    page: closed({
      items: v.pipe(v.array(ReachedScope), v.maxLength(DIRECTORY_LIMIT_MAX)),
      next_cursor,
    }),
  }),
  named('ReachResponse'),
);

/** Asks who can reach a scope. */
export const HoldersRequest = v.pipe(
  closed({
    ...paging,
    scope: Scope,
    /** The subject of a private scope; null asks for all that have this scope for themselves. */
    subject_id: orNull(textId()),
  }),
  v.check(
    ({ scope, subject_id }) => subject_id === null || scope.visibility === 'private',
    'no subject_id beside a shared scope',
  ),
  named('HoldersRequest'),
);

/** A live credential that reaches a scope. */
export const ScopeHolder = v.pipe(
  closed({
    credential_id: uuid(),
    subject_id: textId(),
    /** What it may do there. */
    capabilities: v.array(Capability),
    /** Whether it reaches the scope only by acting for the subject. */
    acts_for: v.optional(SubjectSelector),
  }),
  named('ScopeHolder'),
);
export type ScopeHolder = v.InferOutput<typeof ScopeHolder>;

/** One page of who can reach a scope. It may be short or empty and have a next one. */
export const HoldersResponse = v.pipe(
  closed({
    contract_version: answeredVersion,
    page: closed({
      items: v.pipe(v.array(ScopeHolder), v.maxLength(DIRECTORY_LIMIT_MAX)),
      next_cursor,
    }),
  }),
  named('HoldersResponse'),
);
