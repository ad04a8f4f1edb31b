/**
 * The accounts of an authority, as their administrators use them.
 */
import { requireArguments } from '../contract/errors/arguments.js';
import type { User } from '../people/account/schema.js';
import type { NewUser } from '../people/user/schema.js';
import type { CallOperation, CallOptions, OutputOf, PartsOf } from './call.js';

/** Which authority is meant: an administrator of the installation may name a tenant. */
export interface AuthorityOptions extends CallOptions {
  readonly tenantId?: string | undefined;
}

/** Users by the bytes of their names, and the cursor of the next page. */
export type UserPage = OutputOf<'listUsers'>;

/** Members to change; what is left out stays. */
export type UserMembers = PartsOf<'updateUser'>['document'];

/** Accounts; most calls need the role Admin. Errors are those of the operations. */
export class UserClient {
  readonly #call: CallOperation;

  constructor(call: CallOperation) {
    this.#call = call;
  }

  /** Makes an account. Its name is taken from then on, also when it is deleted. */
  async create(user: NewUser, options: AuthorityOptions = {}): Promise<User> {
    requireArguments('users.create()', { user });
    const parts = { ...inAuthority(options), document: user };
    return this.#call('createUser', parts, options);
  }

  /** Shows one account; the caller's own without any role. */
  async get(id: string, options: AuthorityOptions = {}): Promise<User> {
    requireArguments('users.get()', { id });
    return this.#call('getUser', { ...inAuthority(options), id }, options);
  }

  /** Changes all of these members, or none. */
  async update(id: string, members: UserMembers, options: AuthorityOptions = {}): Promise<User> {
    requireArguments('users.update()', { id, members });
    const parts = { ...inAuthority(options), id, document: members };
    return this.#call('updateUser', parts, options);
  }

  /** Ends an account for good, with its sessions and API keys. */
  async delete(id: string, options: AuthorityOptions = {}): Promise<void> {
    requireArguments('users.delete()', { id });
    await this.#call('deleteUser', { ...inAuthority(options), id }, options);
  }

  /** Replaces the roles. */
  async setRoles(id: string, roles: string[], options: AuthorityOptions = {}): Promise<User> {
    requireArguments('users.setRoles()', { id, roles });
    const parts = { ...inAuthority(options), id, document: { roles } };
    return this.#call('setUserRoles', parts, options);
  }

  /** Replaces the password of an account without knowing the old one. */
  async resetPassword(
    id: string,
    newPassword: string,
    options: AuthorityOptions = {},
  ): Promise<void> {
    requireArguments('users.resetPassword()', { id, newPassword });
    const document = { new_password: newPassword };
    await this.#call('resetPassword', { ...inAuthority(options), id, document }, options);
  }

  /** Replaces the caller's own password; the session that it called with ends too. */
  async changeOwnPassword(
    currentPassword: string,
    newPassword: string,
    options?: CallOptions,
  ): Promise<void> {
    requireArguments('users.changeOwnPassword()', { currentPassword, newPassword });
    const document = { current_password: currentPassword, new_password: newPassword };
    await this.#call('changeOwnPassword', { document }, options);
  }

  /** One page of the accounts, 1 to 1,000 of them. */
  listPage(page: { limit?: number; cursor?: string } & AuthorityOptions = {}): Promise<UserPage> {
    const { limit, cursor, tenantId } = page;
    const parameters = {
      ...inAuthority({ tenantId }).parameters,
      ...(limit === undefined ? {} : { limit }),
      ...(cursor === undefined ? {} : { cursor }),
    };
    return this.#call('listUsers', { parameters }, page);
  }

  /** Every account that is not deleted, fetched a page at a time. */
  async *list(options: { limit?: number } & AuthorityOptions = {}): AsyncGenerator<User, void> {
    let cursor: string | null = null;
    do {
      const position: { cursor?: string } = cursor === null ? {} : { cursor };
      const page: UserPage = await this.listPage({ ...options, ...position });
      yield* page.users;
      cursor = page.next_cursor;
    } while (cursor !== null);
  }
}

function inAuthority({ tenantId }: AuthorityOptions): { parameters: { tenant_id?: string } } {
  return { parameters: tenantId === undefined ? {} : { tenant_id: tenantId } };
}
