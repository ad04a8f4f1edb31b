/** Client of the accounts of an authority. */
import { requireArguments } from '../contract/errors/arguments.js';
import type { User } from '../domains/people/account/schema.js';
import type { ApiKey, ApiKeyList } from '../domains/people/api-key/schema.js';
import type { UserSession } from '../domains/people/session/schema.js';
import type { NewUser } from '../domains/people/user/schema.js';
import {
  type CallOperation,
  type CallOptions,
  type OutputOf,
  type PartsOf,
  stated,
} from './call.js';
import { pagesFrom } from './lists/page-walk.js';

/** The authority of the accounts. */
export interface AuthorityOptions extends CallOptions {
  /** A tenant; only for administrators of the installation. Default: the caller's authority. */
  readonly tenantId?: string | undefined;
}

/** A page of users in byte order of their names, with the cursor of the next page. */
export type UserPage = OutputOf<'listUsers'>;

/** Members to change. Omitted members keep their value. */
export type UserMembers = PartsOf<'updateUser'>['document'];

type UserLink = OutputOf<'getUserLinks'>['links'][number];

/** Manages accounts. Most methods need the role Admin. */
export class UserClient {
  readonly #call: CallOperation;

  constructor(call: CallOperation) {
    this.#call = call;
  }

  /** Creates an account. Its name stays taken, even after the account is deleted. */
  async create(user: NewUser, options: AuthorityOptions = {}): Promise<User> {
    requireArguments('users.create()', { user });
    const parts = { ...inAuthority(options), document: user };
    return this.#call('createUser', parts, options);
  }

  /**
   * Invites a person: an account with a role and scopes. The answer has the path of the page where
   * she sets the password, with a code that works once. The same username again, before the
   * invitation is accepted, replaces it.
   */
  async invite(
    invitation: PartsOf<'inviteUser'>['document'],
    options: AuthorityOptions = {},
  ): Promise<OutputOf<'inviteUser'>> {
    requireArguments('users.invite()', { invitation });
    return this.#call('inviteUser', { ...inAuthority(options), document: invitation }, options);
  }

  /** Yields every invitation that was not accepted, fetched a page at a time. */
  async *invitations(
    options: { limit?: number } & AuthorityOptions = {},
  ): AsyncGenerator<OutputOf<'listInvitations'>['invitations'][number], void> {
    const pages = pagesFrom(null, (position) => {
      const page = { ...options, ...position };
      return this.#call('listInvitations', { parameters: pageParameters(page) }, page);
    });
    for await (const page of pages) yield* page.invitations;
  }

  /** Revokes the invitation of an account, which is inactive until it is invited again. */
  async revokeInvitation(id: string, options: AuthorityOptions = {}): Promise<void> {
    requireArguments('users.revokeInvitation()', { id });
    await this.#call('revokeInvitation', { ...inAuthority(options), id }, options);
  }

  /**
   * Makes a link by which the person of an account sets a new password, once. The answer has its
   * path. Until it is used, password and sessions stay. `validHours` is 1 to 72; default 24.
   */
  async createResetLink(
    id: string,
    options: { readonly validHours?: number } & AuthorityOptions = {},
  ): Promise<OutputOf<'createResetLink'>> {
    requireArguments('users.createResetLink()', { id });
    const { validHours } = options;
    const document = stated({ valid_hours: validHours });
    return this.#call('createResetLink', { ...inAuthority(options), id, document }, options);
  }

  /**
   * Sets the password of an account by the code of an invitation or a reset link, once. Needs no
   * proof. Returns what she logs in with.
   * @throws {AgentkeepError} `invitation_ended` for a code that is not good.
   */
  async acceptInvitation(
    code: string,
    password: string,
    options?: CallOptions,
  ): Promise<OutputOf<'acceptInvitation'>> {
    requireArguments('users.acceptInvitation()', { code, password });
    return this.#call('acceptInvitation', { document: { code, password } }, options);
  }

  /** Returns one account. The caller's own needs no role. */
  async get(id: string, options: AuthorityOptions = {}): Promise<User> {
    requireArguments('users.get()', { id });
    return this.#call('getUser', { ...inAuthority(options), id }, options);
  }

  /** Changes all given members, or none. */
  async update(id: string, members: UserMembers, options: AuthorityOptions = {}): Promise<User> {
    requireArguments('users.update()', { id, members });
    const parts = { ...inAuthority(options), id, document: members };
    return this.#call('updateUser', parts, options);
  }

  /** Deletes an account for good, with its sessions and API keys. */
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

  /** Replaces the password of an account without the old one. */
  async resetPassword(
    id: string,
    newPassword: string,
    options: AuthorityOptions = {},
  ): Promise<void> {
    requireArguments('users.resetPassword()', { id, newPassword });
    const document = { new_password: newPassword };
    await this.#call('resetPassword', { ...inAuthority(options), id, document }, options);
  }

  /** Returns one page of 1 to 1,000 API keys of an account, newest first; default 1,000. */
  keysPage(
    id: string,
    page: { limit?: number; cursor?: string } & AuthorityOptions = {},
  ): Promise<ApiKeyList> {
    requireArguments('users.keysPage()', { id });
    return this.#call('listUserApiKeys', { id, parameters: pageParameters(page) }, page);
  }

  /** Yields every API key of an account, newest first, fetched a page at a time. */
  async *keys(
    id: string,
    options: { limit?: number } & AuthorityOptions = {},
  ): AsyncGenerator<ApiKey, void> {
    const pages = pagesFrom(null, (position) => this.keysPage(id, { ...options, ...position }));
    for await (const page of pages) yield* page.keys;
  }

  /**
   * Revokes an API key of an account.
   * @throws {AgentkeepError} `target_not_found` for a key that is not one of the account.
   */
  async revokeKey(id: string, keyId: string, options: AuthorityOptions = {}): Promise<void> {
    requireArguments('users.revokeKey()', { id, keyId });
    const parts = { ...inAuthority(options), id, document: { key_id: keyId } };
    await this.#call('revokeUserApiKey', parts, options);
  }

  /** Returns the live sessions of an account, newest first. The caller's own need no role. */
  async sessions(id: string, options: AuthorityOptions = {}): Promise<UserSession[]> {
    requireArguments('users.sessions()', { id });
    const parts = { ...inAuthority(options), id };
    return (await this.#call('listUserSessions', parts, options)).sessions;
  }

  /**
   * Ends a session of an account. The caller's own need no role.
   * @throws {AgentkeepError} `target_not_found` for a session that is no live one of the account.
   */
  async endSession(id: string, sessionId: string, options: AuthorityOptions = {}): Promise<void> {
    requireArguments('users.endSession()', { id, sessionId });
    const parts = { ...inAuthority(options), id, document: { session_id: sessionId } };
    await this.#call('endUserSession', parts, options);
  }

  /** Returns who at issuers signs in as an account. The caller's own needs no role. */
  async links(id: string, options: AuthorityOptions = {}): Promise<UserLink[]> {
    requireArguments('users.links()', { id });
    const { links } = await this.#call('getUserLinks', { ...inAuthority(options), id }, options);
    return links;
  }

  /** States who at issuers signs in as an account. Sessions of removed links end. */
  async putLinks(
    id: string,
    links: PartsOf<'putUserLinks'>['document']['links'],
    options: AuthorityOptions = {},
  ): Promise<UserLink[]> {
    requireArguments('users.putLinks()', { id, links });
    const parts = { ...inAuthority(options), id, document: { links } };
    return (await this.#call('putUserLinks', parts, options)).links;
  }

  /** Replaces the caller's own password and ends all its sessions, the current one included. */
  async changeOwnPassword(
    currentPassword: string,
    newPassword: string,
    options?: CallOptions,
  ): Promise<void> {
    requireArguments('users.changeOwnPassword()', { currentPassword, newPassword });
    const document = { current_password: currentPassword, new_password: newPassword };
    await this.#call('changeOwnPassword', { document }, options);
  }

  /** Returns one page of 1 to 1,000 accounts. */
  listPage(page: { limit?: number; cursor?: string } & AuthorityOptions = {}): Promise<UserPage> {
    return this.#call('listUsers', { parameters: pageParameters(page) }, page);
  }

  /** Yields every account that is not deleted, fetched a page at a time. */
  async *list(options: { limit?: number } & AuthorityOptions = {}): AsyncGenerator<User, void> {
    const pages = pagesFrom(null, (position) => this.listPage({ ...options, ...position }));
    for await (const page of pages) yield* page.users;
  }
}

function pageParameters({
  limit,
  cursor,
  tenantId,
}: { limit?: number; cursor?: string } & AuthorityOptions) {
  return {
    ...inAuthority({ tenantId }).parameters,
    ...stated({ limit, cursor }),
  };
}

/** Returns the parameters that name an authority. */
export function inAuthority({ tenantId }: AuthorityOptions): {
  parameters: { tenant_id?: string };
} {
  return { parameters: stated({ tenant_id: tenantId }) };
}
