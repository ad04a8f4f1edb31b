/** Documents of erasures (docs/contract/erasure.md). */
import * as v from 'valibot';
import { CURSOR_CHARS_MAX, DIRECTORY_LIMIT_MAX } from '../../contract/limits.js';
import { closed } from '../../contract/schema/document.js';
import { named } from '../../contract/schema/json-schema.js';
import { administrationVersion, answeredVersion, integer } from '../../contract/schema/number.js';
import { textId } from '../../contract/schema/text.js';
import { uuid } from '../../contract/schema/uuid.js';
import { ErasureTarget } from '../stored/target.js';

/** Asks for the erasure of the tenant that the path names. */
export const TenantErasureRequest = v.pipe(
  closed({ contract_version: administrationVersion() }),
  named('TenantErasureRequest'),
);

/** Asks for an erasure. */
export const ErasureRequest = v.pipe(
  closed({
    contract_version: administrationVersion(),
    target: ErasureTarget,
  }),
  v.check(
    ({ target }) =>
      target.kind === 'subject' ||
      target.subject_id === null ||
      target.scope.visibility === 'private',
    'no subject_id beside a shared scope',
  ),
  named('ErasureRequest'),
);

/** An erasure, and how far it has got. */
export const Erasure = v.pipe(
  closed({
    id: uuid(),
    kind: v.picklist(['subject', 'scope', 'tenant']),
    status: v.picklist(['running', 'finished']),
    /** Keyed digest of the target, and the key: who knows the target can compare it. */
    target_digest: v.string(),
    target_key: v.string(),
    /** The name that credentials of an erased subject have from now on; else null. */
    pseudonym: v.nullable(textId()),
    /** Id of the credential that asked for it. */
    requested_by: uuid(),
    requested_at_millis: integer(),
    finished_at_millis: v.nullable(integer()),
    /** Steps that are done, of those there are. */
    steps_done: integer(),
    steps: integer(),
    /** Entries that were removed or rewritten, by family. */
    counts: v.array(closed({ family: v.string(), entries: integer() })),
    /** Revisions in other scopes that state that they were derived from what is gone. */
    dependents: integer(),
    /** The certificate, a JWS in compact form. Null while it runs. */
    certificate: v.nullable(v.string()),
  }),
  named('Erasure'),
);
export type Erasure = v.InferOutput<typeof Erasure>;

/** The answer that shows an erasure. */
export const ErasureResponse = v.pipe(
  closed({ contract_version: answeredVersion, erasure: Erasure }),
  named('ErasureResponse'),
);

/** One page of the erasures of a tenant, or of those of tenants. */
export const ErasuresResponse = v.pipe(
  closed({
    contract_version: answeredVersion,
    page: closed({
      items: v.pipe(v.array(Erasure), v.maxLength(DIRECTORY_LIMIT_MAX)),
      next_cursor: v.nullable(v.pipe(v.string(), v.maxLength(CURSOR_CHARS_MAX))),
    }),
  }),
  named('ErasuresResponse'),
);
