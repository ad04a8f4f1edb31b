/** Client of login accounts: people who act with a credential of an authority. */
import {
  directoryParameters,
  type DirectoryRequest,
  everyEvent,
  everyItem,
  type HistoryRequest,
} from './lists/page-walk.js';
import { requireArguments } from '../contract/errors/arguments.js';
import type { LoginAccount } from '../domains/people/account/schema.js';
import { CONTRACT_VERSION } from '../contract/version.js';
import type { CallOperation, CallOptions, OutputOf } from './call.js';

/** A page of accounts in the order of their JSON-encoded usernames, with the next cursor. */
export type LoginAccountPage = OutputOf<'listTenantLoginAccounts'>['page'];

/** A new account. */
export interface NewLoginAccount {
  /** 1 to 256 UTF-8 bytes, compared exactly. It can never be used again. */
  readonly username: string;
  readonly password: string;
  /** A live credential of the same authority, which the account acts with. */
  readonly credentialId: string;
}

/** The operations on accounts of a tenant, or of the installation. */
const views = {
  tenant: {
    create: 'createTenantLoginAccount',
    inspect: 'inspectTenantLoginAccount',
    changePassword: 'changePasswordTenantLoginAccount',
    disable: 'disableTenantLoginAccount',
    list: 'listTenantLoginAccounts',
  },
  global: {
    create: 'createGlobalLoginAccount',
    inspect: 'inspectGlobalLoginAccount',
    changePassword: 'changePasswordGlobalLoginAccount',
    disable: 'disableGlobalLoginAccount',
    list: 'listGlobalLoginAccounts',
  },
} as const;

/**
 * Login accounts; needs the capability `credential_admin` in a tenant, and the master in the
 * installation.
 */
export class LoginAccountClient {
  readonly #call: CallOperation;
  readonly #names: (typeof views)['tenant' | 'global'];

  constructor(call: CallOperation, view: 'tenant' | 'global') {
    this.#call = call;
    this.#names = views[view];
  }

  /**
   * Creates an account.
   * @throws {AgentkeepError} `weak_password`, `revision_conflict` when the username is taken.
   */
  async create(made: NewLoginAccount, options?: CallOptions): Promise<LoginAccount> {
    requireArguments('loginAccounts.create()', { made });
    const { username, password, credentialId } = made;
    requireArguments('loginAccounts.create()', { username, password, credentialId });
    const document = {
      contract_version: CONTRACT_VERSION,
      username,
      password,
      credential_id: credentialId,
    };
    const { account } = await this.#call(this.#names.create, { document }, options);
    return account;
  }

  /** Returns one account with its newest 64 events. An unknown id is `forbidden`. */
  async inspect(id: string, options?: CallOptions): Promise<LoginAccount> {
    requireArguments('loginAccounts.inspect()', { id });
    const { account } = await this.#call(this.#names.inspect, { id, parameters: {} }, options);
    return account;
  }

  /** Yields every event of the history, newest first, fetched a page at a time. */
  history(
    id: string,
    request: HistoryRequest = {},
  ): AsyncGenerator<LoginAccount['history'][number], void> {
    requireArguments('loginAccounts.history()', { id });
    const { signal } = request;
    return everyEvent(request, async (parameters) => {
      const answer = await this.#call(this.#names.inspect, { id, parameters }, { signal });
      return { history: answer.account.history, next: answer.next_cursor };
    });
  }

  /**
   * Replaces the password and ends all logins of the account.
   * @throws {AgentkeepError} `weak_password`, `revision_conflict`
   */
  async changePassword(
    id: string,
    expectedRevision: number,
    password: string,
    options?: CallOptions,
  ): Promise<LoginAccount> {
    requireArguments('loginAccounts.changePassword()', { id, expectedRevision, password });
    const document = {
      contract_version: CONTRACT_VERSION,
      expected_revision: expectedRevision,
      password,
    };
    const { account } = await this.#call(this.#names.changePassword, { id, document }, options);
    return account;
  }

  /**
   * Disables the account for good and ends all its logins. Its credential is not changed.
   * @throws {AgentkeepError} `revision_conflict`, `last_admin`
   */
  async disable(
    id: string,
    expectedRevision: number,
    options?: CallOptions,
  ): Promise<LoginAccount> {
    requireArguments('loginAccounts.disable()', { id, expectedRevision });
    const document = { contract_version: CONTRACT_VERSION, expected_revision: expectedRevision };
    const { account } = await this.#call(this.#names.disable, { id, document }, options);
    return account;
  }

  /** Returns one page of 1 to 100 accounts, including disabled and deleted ones. */
  async listPage(request: DirectoryRequest = {}): Promise<LoginAccountPage> {
    const { signal } = request;
    const parameters = directoryParameters(request);
    const { page } = await this.#call(this.#names.list, { parameters }, { signal });
    return page;
  }

  /** Yields every account, fetched a page at a time. */
  list(options: { limit?: number } & CallOptions = {}): AsyncGenerator<LoginAccount, void> {
    return everyItem((position) => this.listPage({ ...options, ...position }));
  }
}
