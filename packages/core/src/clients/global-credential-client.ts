/**
 * The credentials of the installation, as its administrators use them.
 */
import { requireArguments } from '../contract/errors/arguments.js';
import type { CallOperation, CallOptions, OutputOf, PartsOf } from './call.js';
import type {
  GlobalCredential,
  IssuedGlobalCredential,
} from '../identity/global-credential/schema.js';
import { CONTRACT_VERSION } from '../contract/version.js';
import { directoryParameters, type DirectoryRequest, everyItem } from './directory-walk.js';

/** A credential with the secret that is shown only this once. */
export type NewGlobalSecret = Pick<IssuedGlobalCredential, 'credential' | 'secret'>;

/** Credentials in order of id, and the cursor of the next page. */
export type GlobalCredentialPage = OutputOf<'listGlobalCredentials'>['page'];

/** What a credential of the installation is issued with. */
export type GlobalCredentialSpecInput = PartsOf<'issueGlobalCredential'>['document']['spec'];

/** Delegation; needs the capability `global_credential_admin`, and lists need the master. */
export class GlobalCredentialClient {
  readonly #call: CallOperation;

  constructor(call: CallOperation) {
    this.#call = call;
  }

  /**
   * Hands on some of its own capabilities, for no longer than its own. A repeat makes another one.
   */
  async issue(spec: GlobalCredentialSpecInput, options?: CallOptions): Promise<NewGlobalSecret> {
    requireArguments('credentials.issue()', { spec });
    const document = { contract_version: CONTRACT_VERSION, spec };
    return this.#call('issueGlobalCredential', { document }, options);
  }

  /** Shows one credential; an unknown id, and one that can do more, is `forbidden`. */
  async inspect(id: string, options?: CallOptions): Promise<GlobalCredential> {
    requireArguments('credentials.inspect()', { id });
    const { credential } = await this.#call('inspectGlobalCredential', { id }, options);
    return credential;
  }

  /** Replaces the secret; of its own credential anybody may. */
  async rotate(
    id: string,
    expectedRevision: number,
    options?: CallOptions,
  ): Promise<NewGlobalSecret> {
    requireArguments('credentials.rotate()', { id, expectedRevision });
    const document = { contract_version: CONTRACT_VERSION, expected_revision: expectedRevision };
    return this.#call('rotateGlobalCredential', { id, document }, options);
  }

  /** Ends the credential for good; only the master can be recovered, by a local operator. */
  async revoke(
    id: string,
    expectedRevision: number,
    options?: CallOptions,
  ): Promise<GlobalCredential> {
    requireArguments('credentials.revoke()', { id, expectedRevision });
    const document = { contract_version: CONTRACT_VERSION, expected_revision: expectedRevision };
    const { credential } = await this.#call('revokeGlobalCredential', { id, document }, options);
    return credential;
  }

  /** One page of the credentials of the installation, 1 to 100 of them; for the master. */
  async listPage(request: DirectoryRequest = {}): Promise<GlobalCredentialPage> {
    const { signal } = request;
    const parameters = directoryParameters(request);
    const { page } = await this.#call('listGlobalCredentials', { parameters }, { signal });
    return page;
  }

  /** Every credential of the installation, fetched a page at a time; for the master. */
  list(options: { limit?: number } & CallOptions = {}): AsyncGenerator<GlobalCredential, void> {
    return everyItem((position) => this.listPage({ ...options, ...position }));
  }
}
