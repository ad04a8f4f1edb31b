/** Schemas of the documents of tenants (docs/contract/installation.md#ins-13). */
import * as v from 'valibot';
import { Credential } from '../credential/schema.js';
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

/** The registration of a tenant. Tenants that a local command created have none. */
const TenantRegistration = v.pipe(
  closed({
    schema_version: v.literal(1),
    tenant_id: textId(),
    display_name: v.optional(textId()),
    created_at_millis: integer(),
    created_by: uuid(),
    initial_admin_id: uuid(),
  }),
  named('TenantRegistration'),
);
export type TenantRegistration = v.InferOutput<typeof TenantRegistration>;

/** The request body of a registration. */
export const RegisterTenantRequest = v.pipe(
  closed({
    contract_version: administrationVersion(),
    tenant_id: textId(),
    subject_id: textId(),
    display_name: orNull(textId()),
  }),
  named('RegisterTenantRequest'),
);

/** The request body of an appointment. */
export const TenantAdminRequest = v.pipe(
  closed({ contract_version: administrationVersion(), subject_id: textId() }),
  named('TenantAdminRequest'),
);

/** The answer to a registration, with the secret of the first administrator, once. */
export const RegisteredTenantResponse = v.pipe(
  closed({
    contract_version: answeredVersion,
    tenant: TenantRegistration,
    credential: Credential,
    secret: v.pipe(v.string(), v.regex(/^ak1_[0-9a-f]{32}_[A-Za-z0-9_-]{43}$/)),
  }),
  named('RegisteredTenantResponse'),
);

/** The answer that shows one tenant. */
export const TenantResponse = v.pipe(
  closed({
    contract_version: answeredVersion,
    tenant_id: textId(),
    registration: v.nullable(TenantRegistration),
  }),
  named('TenantResponse'),
);

/** One page of tenants. */
export const DirectoryTenantsResponse = v.pipe(
  closed({
    contract_version: answeredVersion,
    page: closed({
      items: v.pipe(
        v.array(
          v.pipe(
            closed({ tenant_id: textId(), registration: v.nullable(TenantRegistration) }),
            named('TenantDirectoryEntry'),
          ),
        ),
        v.maxLength(DIRECTORY_LIMIT_MAX),
      ),
      next_cursor: v.nullable(v.pipe(v.string(), v.maxLength(CURSOR_CHARS_MAX))),
    }),
  }),
  named('DirectoryTenantsResponse'),
);
