/** Schemas of the documents of installation credentials (docs/contract/installation.md#ins-8). */
import * as v from 'valibot';
import { GlobalCapability } from '../../../kernel/access/capability.js';
import { CURSOR_CHARS_MAX, DIRECTORY_LIMIT_MAX } from '../../../contract/limits.js';
import { closed, orNull } from '../../../contract/schema/document.js';
import { named } from '../../../contract/schema/json-schema.js';
import {
  administrationVersion,
  answeredVersion,
  integer,
} from '../../../contract/schema/number.js';
import { textId } from '../../../contract/schema/text.js';
import { uuid } from '../../../contract/schema/uuid.js';
import { olderEvents } from '../../../kernel/lists/page.js';
import { ShownPreviousSecret } from '../credential/schema.js';

/** The spec of a credential in requests. */
const GlobalCredentialSpecRequest = v.pipe(
  closed({
    subject_id: textId(),
    capabilities: v.pipe(v.array(GlobalCapability), v.minLength(1)),
    expires_at_millis: orNull(integer()),
  }),
  named('GlobalCredentialSpecRequest'),
);

/** The spec of a credential as it is stored and shown. */
const GlobalCredentialSpec = v.pipe(
  closed({
    subject_id: textId(),
    capabilities: v.pipe(v.array(GlobalCapability), v.minLength(1)),
    expires_at_millis: v.nullable(integer()),
  }),
  named('GlobalCredentialSpec'),
);
export type GlobalCredentialSpec = v.InferOutput<typeof GlobalCredentialSpec>;

/** One change of a credential. Event n made revision n. */
const GlobalCredentialEvent = v.pipe(
  closed({
    revision: integer(1),
    action: v.picklist([
      'bootstrapped',
      'issued',
      'rotated',
      'revoked',
      'recovered_by_local_operator',
    ]),
    actor_id: uuid(),
    at_millis: integer(),
  }),
  named('GlobalCredentialEvent'),
);
export type GlobalCredentialEvent = v.InferOutput<typeof GlobalCredentialEvent>;

/** A credential in answers, without its secret. */
export const GlobalCredential = v.pipe(
  closed({
    id: uuid(),
    is_master: v.boolean(),
    spec: GlobalCredentialSpec,
    revision: integer(1),
    revoked_at_millis: v.nullable(integer()),
    history: v.pipe(v.array(GlobalCredentialEvent), v.minLength(1)),
    previous_secret: v.optional(ShownPreviousSecret),
  }),
  named('GlobalCredential'),
);
export type GlobalCredential = v.InferOutput<typeof GlobalCredential>;

/** The request body for issuing a credential. */
export const IssueGlobalRequest = v.pipe(
  closed({ contract_version: administrationVersion(), spec: GlobalCredentialSpecRequest }),
  named('IssueGlobalRequest'),
);

/** The answer that shows one credential. */
export const GlobalCredentialResponse = v.pipe(
  closed({ contract_version: answeredVersion, credential: GlobalCredential }),
  named('GlobalCredentialResponse'),
);

/** The answer that shows one credential with a page of its history. */
export const InspectGlobalCredentialResponse = v.pipe(
  closed({ contract_version: answeredVersion, credential: GlobalCredential, ...olderEvents }),
  named('InspectGlobalCredentialResponse'),
);

/** The answer that delivers a secret, once. */
export const IssuedGlobalCredential = v.pipe(
  closed({
    contract_version: answeredVersion,
    credential: GlobalCredential,
    secret: v.pipe(v.string(), v.regex(/^akg1_[0-9a-f]{32}_[A-Za-z0-9_-]{43}$/)),
  }),
  named('IssuedGlobalCredential'),
);
export type IssuedGlobalCredential = v.InferOutput<typeof IssuedGlobalCredential>;

/** One page of the credentials of the installation. */
export const DirectoryGlobalCredentialsResponse = v.pipe(
  closed({
    contract_version: answeredVersion,
    page: closed({
      items: v.pipe(v.array(GlobalCredential), v.maxLength(DIRECTORY_LIMIT_MAX)),
      next_cursor: v.nullable(v.pipe(v.string(), v.maxLength(CURSOR_CHARS_MAX))),
    }),
  }),
  named('DirectoryGlobalCredentialsResponse'),
);
