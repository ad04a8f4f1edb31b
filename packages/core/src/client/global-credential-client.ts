/** Client of the credentials of the installation. */
import {
  directoryParameters,
  type DirectoryRequest,
  everyEvent,
  everyItem,
  type HistoryRequest,
} from './lists/page-walk.js';
import { requireArguments } from '../contract/errors/arguments.js';
import {
  type CallOperation,
  type CallOptions,
  type OutputOf,
  type PartsOf,
  stated,
} from './call.js';
import type {
  GlobalCredential,
  IssuedGlobalCredential,
} from '../domains/tenancy/global-credential/schema.js';
import { CONTRACT_VERSION } from '../contract/version.js';

/** A credential with its secret, which is shown only once. */
export type NewGlobalSecret = Pick<IssuedGlobalCredential, 'credential' | 'secret'>;

/** A page of credentials in order of id, with the cursor of the next page. */
export type GlobalCredentialPage = OutputOf<'listGlobalCredentials'>['page'];

/** The specification of a new credential of the installation. */
export type GlobalCredentialSpecInput = PartsOf<'issueGlobalCredential'>['document']['spec'];

/** Issues and manages delegates. Needs `global_credential_admin`; lists need the master. */
export class GlobalCredentialClient {
  readonly #call: CallOperation;

  constructor(call: CallOperation) {
    this.#call = call;
  }

  /**
   * Issues a credential with capabilities of the caller that expires no later than the caller's. A
   * repeated call issues another one.
   */
  async issue(spec: GlobalCredentialSpecInput, options?: CallOptions): Promise<NewGlobalSecret> {
    requireArguments('credentials.issue()', { spec });
    const document = { contract_version: CONTRACT_VERSION, spec };
    return this.#call('issueGlobalCredential', { document }, options);
  }

  /**
   * Returns one credential with its newest 64 events. An unknown id is `forbidden`, and so is one
   * with more capabilities.
   */
  async inspect(id: string, options?: CallOptions): Promise<GlobalCredential> {
    requireArguments('credentials.inspect()', { id });
    const { credential } = await this.#call(
      'inspectGlobalCredential',
      { id, parameters: {} },
      options,
    );
    return credential;
  }

  /** Yields every event of the history, newest first, fetched a page at a time. */
  history(
    id: string,
    request: HistoryRequest = {},
  ): AsyncGenerator<GlobalCredential['history'][number], void> {
    requireArguments('credentials.history()', { id });
    const { signal } = request;
    return everyEvent(request, async (parameters) => {
      const answer = await this.#call('inspectGlobalCredential', { id, parameters }, { signal });
      return { history: answer.credential.history, next: answer.next_cursor };
    });
  }

  /**
   * Replaces the secret. Every caller may do so for its own credential. The secret before stays
   * good for `overlapSeconds`, at most 30 days; by default it ends at once.
   */
  async rotate(
    id: string,
    expectedRevision: number,
    options: CallOptions & { readonly overlapSeconds?: number } = {},
  ): Promise<NewGlobalSecret> {
    requireArguments('credentials.rotate()', { id, expectedRevision });
    const { overlapSeconds, ...callOptions } = options;
    const document = {
      contract_version: CONTRACT_VERSION,
      expected_revision: expectedRevision,
      ...stated({ overlap_seconds: overlapSeconds }),
    };
    return this.#call('rotateGlobalCredential', { id, document }, callOptions);
  }

  /** Revokes the credential for good. A local operator can recover the master. */
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

  /** Returns one page of 1 to 100 credentials of the installation. Only for the master. */
  async listPage(request: DirectoryRequest = {}): Promise<GlobalCredentialPage> {
    const { signal } = request;
    const parameters = directoryParameters(request);
    const { page } = await this.#call('listGlobalCredentials', { parameters }, { signal });
    return page;
  }

  /** Yields every credential of the installation. Only for the master. */
  list(options: { limit?: number } & CallOptions = {}): AsyncGenerator<GlobalCredential, void> {
    return everyItem((position) => this.listPage({ ...options, ...position }));
  }
}
