/** Documents of credentials that have a key (docs/contract/key-credentials.md). */
import * as v from 'valibot';
import { PublicKey } from '../../../kernel/access/key-thumbprint.js';
import { SECRET_OVERLAP_SECONDS_MAX } from '../../../contract/limits.js';
import { closed } from '../../../contract/schema/document.js';
import { named } from '../../../contract/schema/json-schema.js';
import {
  administrationVersion,
  answeredVersion,
  boundedInteger,
  contractVersion,
  integer,
} from '../../../contract/schema/number.js';
import { uuid } from '../../../contract/schema/uuid.js';
import { Credential, CredentialSpecRequest } from '../credential/schema.js';

/** The request body for issuing a credential for a key. */
export const IssueKeyRequest = v.pipe(
  closed({
    contract_version: contractVersion(),
    spec: CredentialSpecRequest,
    public_key: PublicKey,
  }),
  named('IssueKeyRequest'),
);

/** The request body for replacing the key or the secret of a credential by a key. */
export const ReplaceKeyRequest = v.pipe(
  closed({
    contract_version: contractVersion(),
    expected_revision: integer(),
    public_key: PublicKey,
    /** How long the key or secret before stays good. */
    overlap_seconds: v.optional(boundedInteger(0, SECRET_OVERLAP_SECONDS_MAX, 0), 0),
  }),
  named('ReplaceKeyRequest'),
);

/** The answer that names a credential with a key. */
export const KeyCredentialResponse = v.pipe(
  closed({
    contract_version: answeredVersion,
    credential: Credential,
    /** What calls name the credential with, beside a proof of the key. It is no secret. */
    token: v.pipe(v.string(), v.regex(/^akk1_[0-9a-f]{32}$/)),
  }),
  named('KeyCredentialResponse'),
);

/** The body that states how credentials prove themselves. */
export const PutKeyRequirementRequest = v.pipe(
  closed({
    contract_version: administrationVersion(),
    /** 0 if none was ever stated. */
    expected_revision: integer(),
    /** Whether calls that send a secret of a credential are refused. */
    requires_keys: v.boolean(),
  }),
  named('PutKeyRequirementRequest'),
);

/** How the credentials of a tenant prove themselves. */
export const KeyRequirement = v.pipe(
  closed({
    /** 0 if none was ever stated. */
    revision: integer(),
    requires_keys: v.boolean(),
    updated_at_millis: v.nullable(integer()),
    /** Id of the credential that made this revision. */
    updated_by: v.nullable(uuid()),
  }),
  named('KeyRequirement'),
);
export type KeyRequirement = v.InferOutput<typeof KeyRequirement>;

/** The answer that shows the key requirement. */
export const KeyRequirementResponse = v.pipe(
  closed({ contract_version: answeredVersion, requirement: KeyRequirement }),
  named('KeyRequirementResponse'),
);
