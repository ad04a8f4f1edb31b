/** Client of sessions: renews and ends them. */
import { requireArguments } from '../contract/errors/arguments.js';
import { type CallOperation, type CallOptions, type OutputOf, stated } from './call.js';

/** The tokens of a login. */
export type LoginTokens = OutputOf<'authLogin'>;

/** A new access token of a session. */
export type RefreshedToken = OutputOf<'authRefresh'>;

/** The name and password of a person, and the tenant of the account. */
export interface LoginInput {
  readonly username: string;
  readonly password: string;
  /** Default: an account of the installation. */
  readonly tenantId?: string;
}

/** Options of a refresh. */
export interface RefreshOptions extends CallOptions {
  /** Default: the current access token of the client, while it is valid. */
  readonly refreshToken?: string;
}

/** Options of {@link SessionClient.revokeAll}. */
export interface RevokeAllOptions extends CallOptions {
  /** Default: `admin_revoke`. */
  readonly reason?: string;
  /** Whether API keys end too. Default: true for the reason `security_incident`, else false. */
  readonly includeApiKeys?: boolean | undefined;
  /** A tenant; only for administrators of the installation. Default: the caller's authority. */
  readonly tenantId?: string | undefined;
}

/** Renews and ends sessions. */
export class SessionClient {
  readonly #call: CallOperation;

  constructor(call: CallOperation) {
    this.#call = call;
  }

  /** Gets a new access token, which the client uses from then on. */
  refresh({ refreshToken, ...options }: RefreshOptions = {}): Promise<RefreshedToken> {
    const document = stated({ refresh_token: refreshToken });
    return this.#call('authRefresh', { document }, options);
  }

  /** Ends the session of the client with all its tokens. */
  async logOut(options?: CallOptions): Promise<void> {
    await this.#call('authLogout', {}, options);
  }

  /** Revokes one access token and returns its id. */
  async revoke(token: string, options?: CallOptions): Promise<string> {
    requireArguments('session.revoke()', { token });
    const { jti } = await this.#call('revokeToken', { document: { token } }, options);
    return jti;
  }

  /** Ends all sessions of an account, and its API keys if asked to. Only for administrators. */
  async revokeAll(
    userId: string,
    { reason, includeApiKeys, tenantId, ...options }: RevokeAllOptions = {},
  ): Promise<void> {
    requireArguments('session.revokeAll()', { userId });
    const document = {
      user_id: userId,
      ...stated({ reason, include_api_keys: includeApiKeys }),
    };
    const parameters = stated({ tenant_id: tenantId });
    await this.#call('revokeAllTokens', { parameters, document }, options);
  }
}

/**
 * Returns the document of a login.
 * @throws {AgentkeepError} `invalid_request` for a login without name or password.
 */
export function loginDocument(login: LoginInput) {
  const { username, password, tenantId } = checkedLogin('logIn()', login);
  return { username, password, ...stated({ tenant_id: tenantId }) };
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
