/** Client of the credentials of a tenant. */
import {
  directoryParameters,
  everyEvent,
  type HistoryRequest,
  pagesFrom,
} from './lists/page-walk.js';
import { requireArguments } from '../contract/errors/arguments.js';
import type {
  Credential,
  CredentialSpecInput,
  IssuedCredential,
} from '../domains/tenancy/credential/schema.js';
import { CONTRACT_VERSION } from '../contract/version.js';
import {
  type CallOperation,
  type CallOptions,
  type OutputOf,
  type PartsOf,
  stated,
} from './call.js';

/** A credential with its secret, which is shown only once. */
export type NewSecret = Pick<IssuedCredential, 'credential' | 'secret'>;

/** A page of credentials in order of id, with the cursor of the next page. */
export type CredentialPage = OutputOf<'listTenantCredentials'>['page'];

type PublicKey = PartsOf<'issueKeyCredential'>['document']['public_key'];
type FederationRule = PartsOf<'issueFederatedCredential'>['document']['federation'];
type KeyAnswer = OutputOf<'issueKeyCredential'>;
type KeyRequirement = OutputOf<'getKeyRequirement'>['requirement'];
type NewAuthority = PartsOf<'changeScopeAuthority'>['document']['authority'];

/** Credential administration; needs the capability `credential_admin`. */
export class CredentialClient {
  readonly #call: CallOperation;

  constructor(call: CallOperation) {
    this.#call = call;
  }

  /** Issues a credential. A repeated call issues another one. */
  async issue(spec: CredentialSpecInput, options?: CallOptions): Promise<NewSecret> {
    requireArguments('credentials.issue()', { spec });
    const document = { contract_version: CONTRACT_VERSION, spec };
    return this.#call('issueCredential', { document }, options);
  }

  /**
   * Issues a credential whose holder proves a key instead of a secret. `token` of the answer names
   * the credential and is no secret: give both to `connect({ key })`.
   */
  async issueForKey(
    spec: CredentialSpecInput,
    publicKey: PublicKey,
    options?: CallOptions,
  ): Promise<KeyAnswer> {
    requireArguments('credentials.issueForKey()', { spec, publicKey });
    const document = { contract_version: CONTRACT_VERSION, spec, public_key: publicKey };
    return this.#call('issueKeyCredential', { document }, options);
  }

  /**
   * Issues a credential that a trusted issuer proves. Programs exchange the assertions of that
   * issuer for tokens: give its id to `connect({ workload })`.
   * @throws {AgentkeepError} `issuer_not_found`; `forbidden` for more than the caller may give.
   */
  async issueFederated(
    spec: CredentialSpecInput,
    federation: FederationRule,
    options?: CallOptions,
  ): Promise<Credential> {
    requireArguments('credentials.issueFederated()', { spec, federation });
    const document = { contract_version: CONTRACT_VERSION, spec, federation };
    const { credential } = await this.#call('issueFederatedCredential', { document }, options);
    return credential;
  }

  /** Replaces the key or the secret by a key, as `rotate()` replaces a secret. */
  async replaceKey(
    id: string,
    publicKey: PublicKey,
    expectedRevision: number,
    options: CallOptions & { readonly overlapSeconds?: number } = {},
  ): Promise<KeyAnswer> {
    requireArguments('credentials.replaceKey()', { id, publicKey, expectedRevision });
    const { overlapSeconds, ...callOptions } = options;
    const document = {
      ...revisionRequest(expectedRevision),
      public_key: publicKey,
      ...stated({ overlap_seconds: overlapSeconds }),
    };
    return this.#call('replaceCredentialKey', { id, document }, callOptions);
  }

  /** Returns whether credentials of the tenant must have keys. */
  async keyRequirement(options?: CallOptions): Promise<KeyRequirement> {
    const { requirement } = await this.#call('getKeyRequirement', {}, options);
    return requirement;
  }

  /**
   * States whether credentials of the tenant must have keys: then every call that sends a secret
   * is refused from the commit on. Logins go on, and so do programs that embed the keep.
   * @throws {AgentkeepError} `revision_conflict`; `forbidden` for a call that would lock itself
   * out.
   */
  async setKeyRequirement(
    requirement: { readonly requiresKeys: boolean },
    expectedRevision: number,
    options?: CallOptions,
  ): Promise<KeyRequirement> {
    requireArguments('credentials.setKeyRequirement()', { requirement, expectedRevision });
    const requires_keys = requirement.requiresKeys;
    const document = { ...revisionRequest(expectedRevision), requires_keys };
    const answer = await this.#call('putKeyRequirement', { document }, options);
    return answer.requirement;
  }

  /** Returns one credential with its newest 64 events. An unknown id is `forbidden`. */
  async inspect(id: string, options?: CallOptions): Promise<Credential> {
    requireArguments('credentials.inspect()', { id });
    const { credential } = await this.#call('inspectCredential', { id, parameters: {} }, options);
    return credential;
  }

  /** Yields every event of the history, newest first, fetched a page at a time. */
  history(
    id: string,
    request: HistoryRequest = {},
  ): AsyncGenerator<Credential['history'][number], void> {
    requireArguments('credentials.history()', { id });
    const { signal } = request;
    return everyEvent(request, async (parameters) => {
      const answer = await this.#call('inspectCredential', { id, parameters }, { signal });
      return { history: answer.credential.history, next: answer.next_cursor };
    });
  }

  /**
   * Replaces the secret. The one before stays good for `overlapSeconds`, at most 30 days, so that
   * its holders can be given the new one; by default it ends at once.
   * @throws {AgentkeepError} `revision_conflict` when the credential has another revision.
   */
  async rotate(
    id: string,
    expectedRevision: number,
    options: CallOptions & { readonly overlapSeconds?: number } = {},
  ): Promise<NewSecret> {
    requireArguments('credentials.rotate()', { id, expectedRevision });
    const { overlapSeconds, ...callOptions } = options;
    const document = {
      ...revisionRequest(expectedRevision),
      ...stated({ overlap_seconds: overlapSeconds }),
    };
    return this.#call('rotateCredential', { id, document }, callOptions);
  }

  /** Revokes the credential for good. */
  async revoke(id: string, expectedRevision: number, options?: CallOptions): Promise<Credential> {
    requireArguments('credentials.revoke()', { id, expectedRevision });
    const document = revisionRequest(expectedRevision);
    const { credential } = await this.#call('revokeCredential', { id, document }, options);
    return credential;
  }

  /** Replaces the scopes that the credential may act in. */
  async changeScopeAuthority(
    id: string,
    expectedRevision: number,
    authority: NewAuthority,
    options?: CallOptions,
  ): Promise<Credential> {
    requireArguments('credentials.changeScopeAuthority()', { id, expectedRevision, authority });
    const document = { ...revisionRequest(expectedRevision), authority };
    const { credential } = await this.#call('changeScopeAuthority', { id, document }, options);
    return credential;
  }

  /** Returns one page of 1 to 100 credentials of the tenant. */
  async listPage(
    page: { limit?: number; cursor?: string } & CallOptions = {},
  ): Promise<CredentialPage> {
    const { signal, ...place } = page;
    const parameters = directoryParameters(place);
    const answer = await this.#call('listTenantCredentials', { parameters }, { signal });
    return answer.page;
  }

  /** Yields every credential of the tenant, fetched a page at a time. */
  async *list(options: { limit?: number } & CallOptions = {}): AsyncGenerator<Credential, void> {
    const pages = pagesFrom(null, (position) => this.listPage({ ...options, ...position }));
    for await (const page of pages) yield* page.items;
  }
}

function revisionRequest(expectedRevision: number): {
  contract_version: 1;
  expected_revision: number;
} {
  return { contract_version: CONTRACT_VERSION, expected_revision: expectedRevision };
}
