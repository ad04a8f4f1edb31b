/** Schemas of the documents of credentials (docs/contract/credentials.md). */
import * as v from 'valibot';
import { Capability } from '../../../kernel/access/capability.js';
import { CompanyScopePolicy, Scope } from '../../../kernel/access/scope.js';
import { SubjectSelector } from '../../../kernel/access/subject-selector.js';
import {
  CURSOR_CHARS_MAX,
  DIRECTORY_LIMIT_MAX,
  SECRET_OVERLAP_SECONDS_MAX,
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
import { ConnectedProgram } from './connected-program.js';
import { FederationRule } from './federation-rule.js';
import { olderEvents } from '../../../kernel/lists/page.js';

const policyExcludesGrants = (spec: {
  grants: readonly unknown[];
  scope_policy?: unknown;
}): boolean => !spec.scope_policy || spec.grants.length === 0;

const policyExcludesAdmin = (spec: {
  capabilities: readonly Capability[];
  scope_policy?: unknown;
}): boolean => !spec.scope_policy || !spec.capabilities.includes('credential_admin');

const selectorNeedsCapability = (spec: {
  capabilities: readonly Capability[];
  act_for?: unknown;
}): boolean => !spec.act_for || spec.capabilities.includes('act_for');

/** The spec of a credential in requests. */
export const CredentialSpecRequest = v.pipe(
  closed({
    subject_id: textId(),
    capabilities: v.pipe(v.array(Capability), v.minLength(1)),
    grants: v.array(Scope),
    expires_at_millis: orNull(integer()),
    scope_policy: orNull(CompanyScopePolicy),
    act_for: orNull(SubjectSelector),
  }),
  v.check((it) => policyExcludesGrants(it), 'no grants beside a scope policy'),
  v.check((it) => selectorNeedsCapability(it), 'no act_for without the capability act_for'),
  v.check((it) => policyExcludesAdmin(it), 'no credential_admin beside a scope policy'),
  named('CredentialSpecRequest'),
);
export type CredentialSpecRequest = v.InferOutput<typeof CredentialSpecRequest>;
/** A spec as callers write it: members with defaults are optional. */
export type CredentialSpecInput = v.InferInput<typeof CredentialSpecRequest>;

/** The spec of a credential as it is stored and shown. */
export const CredentialSpec = v.pipe(
  closed({
    subject_id: textId(),
    capabilities: v.pipe(v.array(Capability), v.minLength(1)),
    grants: v.array(Scope),
    expires_at_millis: v.nullable(integer()),
    scope_policy: v.optional(CompanyScopePolicy),
    act_for: v.optional(SubjectSelector),
  }),
  named('CredentialSpec'),
);
export type CredentialSpec = v.InferOutput<typeof CredentialSpec>;

const ShownAuthority = closed({
  grants: v.array(Scope),
  scope_policy: v.optional(CompanyScopePolicy),
});

/** The kinds of changes of a credential. */
export const CredentialAction = v.pipe(
  v.picklist([
    'bootstrapped',
    'issued',
    'rotated',
    'revoked',
    'scope_authority_changed',
    'tenant_registered_by_global_authority',
    'admin_issued_by_global_authority',
  ]),
  named('CredentialAction'),
);
export type CredentialAction = v.InferOutput<typeof CredentialAction>;

/** One change of a credential. Event n made revision n. */
export const CredentialEvent = v.pipe(
  closed({
    revision: integer(1),
    action: CredentialAction,
    actor_id: uuid(),
    at_millis: integer(),
    scope_authority_change: v.optional(
      closed({ previous: ShownAuthority, current: ShownAuthority }),
    ),
  }),
  named('CredentialEvent'),
);
export type CredentialEvent = v.InferOutput<typeof CredentialEvent>;

/** The secret that the last rotation replaced, if it left an overlap. */
export const ShownPreviousSecret = v.pipe(
  closed({
    /** From then on the secret is refused. */
    ends_at_millis: integer(),
    /** Up to a minute behind. Null if it was not used since the rotation. */
    last_used_at_millis: v.nullable(integer()),
  }),
  named('ShownPreviousSecret'),
);

/** A credential in answers, without its secret. */
export const Credential = v.pipe(
  closed({
    id: uuid(),
    tenant_id: textId(),
    spec: CredentialSpec,
    revision: integer(1),
    revoked_at_millis: v.nullable(integer()),
    /** Thumbprint of the key (RFC 7638), for a credential that has one instead of a secret. */
    key_thumbprint: v.optional(v.string()),
    /** Which assertions prove it, for a credential that an issuer proves. */
    federation: v.optional(FederationRule),
    /** The program that acts with it, for a credential that an account gave to one by OAuth. */
    program: v.optional(ConnectedProgram),
    /** The service that acts for the subject; only in the answer of `whoAmI` to such a call. */
    acting_service: v.optional(closed({ subject_id: textId() })),
    history: v.pipe(v.array(CredentialEvent), v.minLength(1)),
    previous_secret: v.optional(ShownPreviousSecret),
  }),
  named('Credential'),
);
export type Credential = v.InferOutput<typeof Credential>;

/** The request body for issuing a credential. */
export const IssueRequest = v.pipe(
  closed({ contract_version: contractVersion(), spec: CredentialSpecRequest }),
  named('IssueRequest'),
);

function overlap() {
  return v.optional(boundedInteger(0, SECRET_OVERLAP_SECONDS_MAX, 0), 0);
}

/** The request body for rotating. The secret before stays good for the overlap. */
export const RotationRequest = v.pipe(
  closed({
    contract_version: contractVersion(),
    expected_revision: integer(),
    overlap_seconds: overlap(),
  }),
  named('RotationRequest'),
);

/** {@link RotationRequest} for the operations of administration. */
export const AdministrationRotationRequest = v.pipe(
  closed({
    contract_version: administrationVersion(),
    expected_revision: integer(),
    overlap_seconds: overlap(),
  }),
  named('AdministrationRotationRequest'),
);

/** The request body for revoking. */
export const RevisionRequest = v.pipe(
  closed({ contract_version: contractVersion(), expected_revision: integer() }),
  named('RevisionRequest'),
);

/** {@link RevisionRequest} for the operations of administration. */
export const AdministrationRevisionRequest = v.pipe(
  closed({ contract_version: administrationVersion(), expected_revision: integer() }),
  named('AdministrationRevisionRequest'),
);

/** The request body for changing scopes. */
export const ScopeAuthorityRequest = v.pipe(
  closed({
    contract_version: administrationVersion(),
    expected_revision: integer(1),
    authority: v.pipe(
      closed({ grants: v.array(Scope), scope_policy: orNull(CompanyScopePolicy) }),
      v.check((it) => policyExcludesGrants(it), 'no grants beside a scope policy'),
    ),
  }),
  named('ScopeAuthorityRequest'),
);
export type ScopeAuthorityRequest = v.InferOutput<typeof ScopeAuthorityRequest>;

/** The answer that shows one credential. */
export const CredentialResponse = v.pipe(
  closed({ contract_version: answeredVersion, credential: Credential }),
  named('CredentialResponse'),
);
export type CredentialResponse = v.InferOutput<typeof CredentialResponse>;

/** The answer that shows one credential with a page of its history. */
export const InspectCredentialResponse = v.pipe(
  closed({ contract_version: answeredVersion, credential: Credential, ...olderEvents }),
  named('InspectCredentialResponse'),
);

/** The answer that delivers a secret, once. */
export const IssuedCredential = v.pipe(
  closed({
    contract_version: answeredVersion,
    credential: Credential,
    secret: v.pipe(v.string(), v.regex(/^ak1_[0-9a-f]{32}_[A-Za-z0-9_-]{43}$/)),
  }),
  named('IssuedCredential'),
);
export type IssuedCredential = v.InferOutput<typeof IssuedCredential>;

/** One page of the credentials of a tenant. */
export const DirectoryTenantCredentialsResponse = v.pipe(
  closed({
    contract_version: answeredVersion,
    page: closed({
      items: v.pipe(v.array(Credential), v.maxLength(DIRECTORY_LIMIT_MAX)),
      next_cursor: v.nullable(v.pipe(v.string(), v.maxLength(CURSOR_CHARS_MAX))),
    }),
  }),
  named('DirectoryTenantCredentialsResponse'),
);
export type DirectoryTenantCredentialsResponse = v.InferOutput<
  typeof DirectoryTenantCredentialsResponse
>;
