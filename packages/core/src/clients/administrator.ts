/**
 * An administrator of the installation: what a program holds in place of the secret of the master
 * or of one of its delegates.
 * @module
 */
import type { CallOperation, CallOptions } from './call.js';
import { LoginAccountClient } from './login-account-client.js';
import type { GlobalCredential } from '../identity/global-credential/schema.js';
import { GlobalCredentialClient } from './global-credential-client.js';
import { TenantClient } from './tenant-client.js';

/**
 * One principal of the installation and what it can do. No tenant accepts it: whatever belongs to a
 * tenant is the business of that tenant's administrators. Every call proves its authority again
 * against durable state.
 */
export class Administrator {
  /** Credentials of the installation: the master and its delegates. */
  readonly credentials: GlobalCredentialClient;
  /** Tenants and their administrators. */
  readonly tenants: TenantClient;
  /** Accounts that people log in to the installation with; for the master. */
  readonly loginAccounts: LoginAccountClient;
  readonly #call: CallOperation;

  constructor(call: CallOperation) {
    this.#call = call;
    this.credentials = new GlobalCredentialClient(call);
    this.tenants = new TenantClient(call);
    this.loginAccounts = new LoginAccountClient(call, 'global');
  }

  /** The credential of the installation that it acts with. */
  async identity(options?: CallOptions): Promise<GlobalCredential> {
    const { credential } = await this.#call('globalIdentity', {}, options);
    return credential;
  }
}
