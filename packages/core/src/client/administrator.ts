/**
 * An administrator of the installation: what a program holds instead of the secret of the master,
 * of one of its delegates, or of an account that people log in to the installation with.
 */
import type { GlobalCredential } from '../domains/tenancy/global-credential/schema.js';
import { ApiKeyClient } from './api-key-client.js';
import { AuditClient } from './audit-client.js';
import type { CallOperation, CallOptions } from './call.js';
import { GlobalCredentialClient } from './global-credential-client.js';
import { LockoutClient } from './lockout-client.js';
import { LoginAccountClient } from './login-account-client.js';
import { RateLimitClient } from './rate-limit-client.js';
import { SessionClient } from './session-client.js';
import { SnapshotClient } from './snapshot-client.js';
import { StatsClient } from './stats-client.js';
import { TenantClient } from './tenant-client.js';
import { SignInClient } from './sign-in-client.js';
import { UserClient } from './user-client.js';

/**
 * One principal of the installation and what it can do. It reads and writes no memory: what belongs
 * to a tenant is for the tenant's own agents. Every call proves its authority again against durable
 * state, and is refused with `forbidden` if the principal lacks the capability or role.
 */
export class Administrator {
  /** Credentials of the installation: the master and its delegates. */
  readonly credentials: GlobalCredentialClient;
  /** Tenants and their administrators. */
  readonly tenants: TenantClient;
  /** Accounts that act with a credential of the installation; for the master. */
  readonly loginAccounts: LoginAccountClient;
  /** Accounts of the installation or of a tenant that log in with a password. */
  readonly users: UserClient;
  /** How people sign in by issuers, for administrators, and sign-ins of people. */
  readonly signIn: SignInClient;
  /** Names that failed logins or administrators locked. */
  readonly lockouts: LockoutClient;
  /** Rate limits of the service. */
  readonly rateLimits: RateLimitClient;
  /** Copies of everything that is stored. */
  readonly snapshots: SnapshotClient;
  /** How large the service is. */
  readonly stats: StatsClient;
  /** The audit log of the installation. */
  readonly audit: AuditClient;
  /** Its login, if it is a person, and the sessions of others. */
  readonly session: SessionClient;
  /** Its own API keys, if it is a person who has logged in. */
  readonly keys: ApiKeyClient;
  readonly #call: CallOperation;

  constructor(call: CallOperation) {
    this.#call = call;
    this.credentials = new GlobalCredentialClient(call);
    this.tenants = new TenantClient(call);
    this.loginAccounts = new LoginAccountClient(call, 'global');
    this.users = new UserClient(call);
    this.signIn = new SignInClient(call);
    this.lockouts = new LockoutClient(call);
    this.rateLimits = new RateLimitClient(call);
    this.snapshots = new SnapshotClient(call);
    this.stats = new StatsClient(call);
    this.audit = new AuditClient(call);
    this.session = new SessionClient(call);
    this.keys = new ApiKeyClient(call);
  }

  /**
   * Returns the credential of the installation that it acts with.
   * @throws {AgentkeepError} `forbidden` for an account without one.
   */
  async identity(options?: CallOptions): Promise<GlobalCredential> {
    const { credential } = await this.#call('globalIdentity', {}, options);
    return credential;
  }
}
