/** Documents of login accounts and platform logins (docs/contract/login-accounts.md). */
import * as v from 'valibot';
import { LoginAccount, password, username } from '../account/schema.js';
import {
  CURSOR_CHARS_MAX,
  DIRECTORY_LIMIT_MAX,
  PASSWORD_BYTES_MAX,
} from '../../../contract/limits.js';
import { closed } from '../../../contract/schema/document.js';
import { describedAs, named } from '../../../contract/schema/json-schema.js';
import {
  administrationVersion,
  answeredVersion,
  integer,
} from '../../../contract/schema/number.js';
import { textId } from '../../../contract/schema/text.js';
import { uuid } from '../../../contract/schema/uuid.js';
import { olderEvents } from '../../../kernel/lists/page.js';

/** Body of create. */
export const CreateLoginAccountRequest = v.pipe(
  closed({
    contract_version: administrationVersion(),
    username: username(),
    password: password(),
    credential_id: uuid(),
  }),
  named('CreateLoginAccountRequest'),
);

/** Body of a new password. */
export const LoginPasswordRequest = v.pipe(
  closed({
    contract_version: administrationVersion(),
    expected_revision: integer(),
    password: password(),
  }),
  named('LoginPasswordRequest'),
);

/** Response with one account. */
export const LoginAccountResponse = v.pipe(
  closed({ contract_version: answeredVersion, account: LoginAccount }),
  named('LoginAccountResponse'),
);

/** Response with one account and a page of its history. */
export const InspectLoginAccountResponse = v.pipe(
  closed({ contract_version: answeredVersion, account: LoginAccount, ...olderEvents }),
  named('InspectLoginAccountResponse'),
);

const page = closed({
  items: v.pipe(v.array(LoginAccount), v.maxLength(DIRECTORY_LIMIT_MAX)),
  next_cursor: v.nullable(v.pipe(v.string(), v.maxLength(CURSOR_CHARS_MAX))),
});

/** A page of the accounts of a tenant. */
export const DirectoryTenantLoginAccountsResponse = v.pipe(
  closed({ contract_version: answeredVersion, page }),
  named('DirectoryTenantLoginAccountsResponse'),
);

/** A page of the accounts of the installation. */
export const DirectoryGlobalLoginAccountsResponse = v.pipe(
  closed({ contract_version: answeredVersion, page }),
  named('DirectoryGlobalLoginAccountsResponse'),
);

/** A password that is only compared; only its length is bounded. */
const comparedPassword = v.pipe(
  v.string(),
  v.check(
    (text) => Buffer.byteLength(text, 'utf8') <= PASSWORD_BYTES_MAX,
    `at most ${PASSWORD_BYTES_MAX} UTF-8 bytes`,
  ),
  describedAs({ type: 'string', maxLength: PASSWORD_BYTES_MAX }),
);

/** A member that must be absent. */
const absent = v.pipe(
  v.unknown(),
  v.check(() => false, 'no such member'),
  describedAs({ not: {}, description: 'Must be left out.' }),
);

/**
 * Body of a tenant login. The handler requires the tenant, so that the version is checked first.
 */
export const LoginRequest = v.pipe(
  closed({
    contract_version: administrationVersion(),
    tenant_id: v.optional(textId()),
    username: username(),
    password: comparedPassword,
  }),
  describedAs({ required: ['contract_version', 'tenant_id', 'username', 'password'] }),
  named('LoginRequest'),
);

/**
 * Body of an installation login. A rule forbids the tenant, so that the version is checked first.
 */
export const GlobalLoginRequest = v.pipe(
  closed({
    contract_version: administrationVersion(),
    tenant_id: v.optional(absent),
    username: username(),
    password: comparedPassword,
  }),
  named('GlobalLoginRequest'),
);

/** Response of a login, with the token of the session, once. */
export const LoginResponse = v.pipe(
  closed({
    contract_version: answeredVersion,
    session: closed({
      token: v.pipe(v.string(), v.regex(/^aks[tg]1_[0-9a-f]{32}_[0-9a-f]{32}_[A-Za-z0-9_-]{43}$/)),
      token_type: v.literal('Bearer'),
      expires_at_millis: integer(),
      account: LoginAccount,
    }),
  }),
  named('LoginResponse'),
);
export type LoginResponse = v.InferOutput<typeof LoginResponse>;

/** Response of logout. */
export const LogoutResponse = v.pipe(
  closed({ contract_version: answeredVersion, logged_out: v.literal(true) }),
  named('LogoutResponse'),
);
