/** Documents of the users view (docs/contract/users.md#usr-9). */
import * as v from 'valibot';
import { Email, password, Roles, User, username } from '../account/schema.js';
import { ACCOUNT_LIST_LIMIT_MAX, PASSWORD_BYTES_MAX } from '../../../contract/limits.js';
import { closed, orNull } from '../../../contract/schema/document.js';
import { named } from '../../../contract/schema/json-schema.js';
import { uuid } from '../../../contract/schema/uuid.js';

/** A password to store. A separate error names the rules that it breaks. */
const newPassword = password;

/** A password that is only compared. */
const knownPassword = () =>
  v.pipe(
    password(),
    v.check(
      (text) => Buffer.byteLength(text, 'utf8') <= PASSWORD_BYTES_MAX,
      `at most ${PASSWORD_BYTES_MAX} UTF-8 bytes`,
    ),
  );

/** Body of create. */
export const CreateUserRequest = v.pipe(
  closed({
    username: username(),
    password: newPassword(),
    email: orNull(Email),
    roles: v.optional(Roles, ['Read']),
    credential_id: orNull(uuid()),
  }),
  named('CreateUserRequest'),
);
export type CreateUserRequest = v.InferOutput<typeof CreateUserRequest>;

/** A new user as callers write it: without the members that may be left out. */
export type NewUser = v.InferInput<typeof CreateUserRequest>;

/** Body of update; absent members stay. */
export const UpdateUserRequest = v.pipe(
  closed({
    email: v.optional(v.nullable(Email)),
    password: v.optional(newPassword()),
    is_active: v.optional(v.boolean()),
    roles: v.optional(Roles),
  }),
  named('UpdateUserRequest'),
);
export type UpdateUserRequest = v.InferOutput<typeof UpdateUserRequest>;

/** Body of a change of roles. */
export const SetRolesRequest = v.pipe(closed({ roles: Roles }), named('SetRolesRequest'));

/** Body of a change of one's own password. */
export const ChangePasswordRequest = v.pipe(
  closed({ current_password: knownPassword(), new_password: newPassword() }),
  named('ChangePasswordRequest'),
);

/** Body of a reset. */
export const ResetPasswordRequest = v.pipe(
  closed({ new_password: newPassword() }),
  named('ResetPasswordRequest'),
);

/** A page of users in byte order of their names. */
export const UserList = v.pipe(
  closed({
    users: v.pipe(v.array(User), v.maxLength(ACCOUNT_LIST_LIMIT_MAX)),
    next_cursor: v.nullable(v.string()),
  }),
  named('UserList'),
);
export type UserList = v.InferOutput<typeof UserList>;
