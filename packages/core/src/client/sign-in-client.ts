/** Client of sign-ins by issuers. */
import { requireArguments } from '../contract/errors/arguments.js';
import {
  type CallOperation,
  type CallOptions,
  type OutputOf,
  type PartsOf,
  stated,
} from './call.js';
import type { LoginTokens } from './session-client.js';
import { type AuthorityOptions, inAuthority } from './user-client.js';

type Settings = OutputOf<'getSignInSettings'>;
type StatedSettings = Omit<PartsOf<'putSignInSettings'>['document'], 'expected_revision'>;

/** A sign-in to begin. */
interface NewSignIn {
  /** The name of the issuer. */
  readonly issuer: string;
  /** Where the issuer sends the browser, exactly as it is registered there. */
  readonly redirectUri: string;
  /** The tenant of the account. Default: the installation. */
  readonly tenantId?: string | undefined;
}

/** States how people sign in, for administrators, and signs people in. */
export class SignInClient {
  readonly #call: CallOperation;

  constructor(call: CallOperation) {
    this.#call = call;
  }

  /** Returns by which issuers people sign in, and whether passwords are allowed. */
  settings(options: AuthorityOptions = {}): Promise<Settings> {
    return this.#call('getSignInSettings', inAuthority(options), options);
  }

  /**
   * States how people sign in. Ends the sign-ins that are under way.
   * @throws {AgentkeepError} `revision_conflict` unless the settings have this revision, 0 for the
   * first; `forbidden` for a rule that gives what the caller may not give.
   */
  putSettings(
    settings: StatedSettings,
    expectedRevision: number,
    options: AuthorityOptions = {},
  ): Promise<Settings> {
    requireArguments('signIn.putSettings()', { settings, expectedRevision });
    const document = { expected_revision: expectedRevision, ...settings };
    return this.#call('putSignInSettings', { ...inAuthority(options), document }, options);
  }

  /** Returns the ways to sign in to a tenant or the installation, for a page that offers them. */
  methods(options: AuthorityOptions = {}): Promise<OutputOf<'getSignInMethods'>> {
    return this.#call('getSignInMethods', inAuthority(options), options);
  }

  /**
   * Begins a sign-in: send the browser to `authorization_url`, and keep `attempt` with it.
   * @throws {AgentkeepError} `issuer_not_found`, `issuer_unavailable`
   */
  begin(signIn: NewSignIn, options?: CallOptions): Promise<OutputOf<'beginSignIn'>> {
    requireArguments('signIn.begin()', { signIn });
    const { issuer, redirectUri, tenantId } = signIn;
    const tenancy = stated({ tenant_id: tenantId });
    const document = { issuer, redirect_uri: redirectUri, ...tenancy };
    return this.#call('beginSignIn', { document }, options);
  }

  /**
   * Completes a sign-in with the query that the issuer added to the redirect address, and returns
   * the tokens of the session.
   * @throws {AgentkeepError} `sign_in_refused`, `issuer_unavailable`
   */
  complete(attempt: string, callback: string, options?: CallOptions): Promise<LoginTokens> {
    requireArguments('signIn.complete()', { attempt, callback });
    return this.#call('completeSignIn', { document: { attempt, callback } }, options);
  }
}
