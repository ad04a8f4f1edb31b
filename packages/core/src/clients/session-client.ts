/**
 * The session of somebody who has logged in, and the ends of sessions.
 */
import { requireArguments } from '../contract/errors/arguments.js';
import type { CallOperation, CallOptions, OutputOf } from './call.js';

/** The tokens of a login. */
export type LoginTokens = OutputOf<'authLogin'>;

/** A new access token of a session. */
export type RefreshedToken = OutputOf<'authRefresh'>;

/** Who logs in. */
export interface LoginInput {
  readonly username: string;
  readonly password: string;
  /** Default: an account of the installation. */
  readonly tenantId?: string;
}

/** What a refresh is asked for with. */
export interface RefreshOptions extends CallOptions {
  /** Default: the access token of the agent, while that lives. */
  readonly refreshToken?: string;
}

/** What is told of the end of all sessions. */
export interface RevokeAllOptions extends CallOptions {
  /** Default: `admin_revoke`. */
  readonly reason?: string;
}

/** Renews and ends sessions. */
export class SessionClient {
  readonly #call: CallOperation;

  constructor(call: CallOperation) {
    this.#call = call;
  }

  /** Gets a new access token, which the agent goes on with. */
  refresh({ refreshToken, ...options }: RefreshOptions = {}): Promise<RefreshedToken> {
    const document = refreshToken === undefined ? {} : { refresh_token: refreshToken };
    return this.#call('authRefresh', { document }, options);
  }

  /** Ends the session of the agent with all its tokens. */
  async logOut(options?: CallOptions): Promise<void> {
    await this.#call('authLogout', {}, options);
  }

  /** Has one access token refused from now on; gives its id. */
  async revoke(token: string, options?: CallOptions): Promise<string> {
    requireArguments('session.revoke()', { token });
    const { jti } = await this.#call('revokeToken', { document: { token } }, options);
    return jti;
  }

  /** Ends all sessions of an account; for administrators. */
  async revokeAll(userId: string, { reason, ...options }: RevokeAllOptions = {}): Promise<void> {
    requireArguments('session.revokeAll()', { userId });
    const document = { user_id: userId, ...(reason === undefined ? {} : { reason }) };
    await this.#call('revokeAllTokens', { document }, options);
  }
}

/**
 * Returns the document of a login.
 * @throws {AgentkeepError} `invalid_request` for a login without name or password.
 */
export function loginDocument(login: LoginInput) {
  const { username, password, tenantId } = checkedLogin('logIn()', login);
  return { username, password, ...(tenantId === undefined ? {} : { tenant_id: tenantId }) };
}

/**
 * Refuses a login without name or password.
 * @throws {AgentkeepError} `invalid_request`
 */
export function checkedLogin(call: string, login: LoginInput): LoginInput {
  requireArguments(call, { login });
  const { username, password } = login;
  requireArguments(call, { 'login.username': username, 'login.password': password });
  return login;
}

/** The access token that a call has renewed the session of its agent with. */
export function renewedToken(name: string, output: object): string | undefined {
  return name === 'authRefresh' ? (output as RefreshedToken).access_token : undefined;
}
