/**
 * An administrator of the installation: what a program holds instead of the secret of the master,
 * of one of its delegates, or of an account that people log in to the installation with.
 */
import { requireArguments } from '../contract/errors/arguments.js';
import type { GlobalCredential } from '../domains/tenancy/global-credential/schema.js';
import { ApiKeyClient } from './api-key-client.js';
import { AuditClient } from './audit-client.js';
import { type CallOperation, type CallOptions, type OutputOf, stated } from './call.js';
import { GlobalCredentialClient } from './global-credential-client.js';
import { LockoutClient } from './lockout-client.js';
import { LoginAccountClient } from './login-account-client.js';
import { RateLimitClient } from './rate-limit-client.js';
import { SessionClient } from './session-client.js';
import { SignInClient } from './sign-in-client.js';
import { TenantClient } from './tenant-client.js';
import { UserClient } from './user-client.js';

/** Numbers of stored entries, and the state of the process. */
type ServiceStats = OutputOf<'getStats'>;

/** Reads statistics. Needs the role Admin or SuperAdmin in the installation. */
class StatsClient {
  readonly #call: CallOperation;

  constructor(call: CallOperation) {
    this.#call = call;
  }

  /** Returns the statistics of this moment. After a kill, waits until all entries are counted. */
  get(options?: CallOptions): Promise<ServiceStats> {
    return this.#call('getStats', {}, options);
  }
}

/** The result of a new snapshot. */
type NewSnapshot = OutputOf<'createSnapshot'>;

/** A complete snapshot. */
type CompleteSnapshot = OutputOf<'listSnapshots'>['snapshots'][number];

/** How the service makes snapshots by itself. */
type SnapshotSchedule = OutputOf<'getSnapshotSchedule'>;

/** A schedule of snapshots to store. */
interface ScheduleToStore {
  /** Seconds from one snapshot to the next, 60 to 31,622,400; null makes none. */
  readonly everySeconds?: number | null;
  /** How many snapshots of the schedule are kept, 1 to 1,000. Default: 7. */
  readonly keep?: number;
  /** The revision that is replaced. Absent replaces any. */
  readonly expectedRevision?: number;
}

/**
 * Makes and lists snapshots, and stores their schedule. Needs the role Admin or SuperAdmin in the
 * installation.
 */
class SnapshotClient {
  readonly #call: CallOperation;

  constructor(call: CallOperation) {
    this.#call = call;
  }

  /**
   * Makes a snapshot. Resolves once it is complete and durable.
   * @throws {AgentkeepError} `snapshot_in_progress`; `no_data_directory` for a keep over a given store
   * without a directory.
   */
  create(options?: CallOptions): Promise<NewSnapshot> {
    return this.#call('createSnapshot', {}, options);
  }

  /**
   * Returns the complete snapshots, newest first.
   * @throws {AgentkeepError} `no_data_directory`
   */
  async list(options?: CallOptions): Promise<CompleteSnapshot[]> {
    const { snapshots } = await this.#call('listSnapshots', {}, options);
    return snapshots;
  }

  /**
   * Returns how often the service makes a snapshot by itself, and when the next one is due.
   * @throws {AgentkeepError} `no_data_directory`
   */
  schedule(options?: CallOptions): Promise<SnapshotSchedule> {
    return this.#call('getSnapshotSchedule', {}, options);
  }

  /**
   * Stores a schedule, which goes before the options of every server of the installation;
   * `{ everySeconds: null }` makes no snapshots, and `{}` lets the options apply again.
   * @throws {AgentkeepError} `no_data_directory`; `revision_conflict` if the schedule has another
   *   revision than `expectedRevision`
   */
  async setSchedule(schedule: ScheduleToStore, options?: CallOptions): Promise<SnapshotSchedule> {
    requireArguments('snapshots.setSchedule()', { schedule });
    const { everySeconds, keep, expectedRevision } = schedule;
    const document = stated({
      every_secs: everySeconds,
      keep,
      expected_revision: expectedRevision,
    });
    return this.#call('setSnapshotSchedule', { document }, options);
  }
}

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
