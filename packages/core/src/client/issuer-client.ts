/** Client of the issuers that a tenant trusts. */
import { requireArguments } from '../contract/errors/arguments.js';
import { CONTRACT_VERSION } from '../contract/version.js';
import type { CallOperation, CallOptions, OutputOf, PartsOf } from './call.js';
import { directoryParameters, type DirectoryRequest, everyItem } from './lists/page-walk.js';

type Issuer = OutputOf<'getTrustedIssuer'>['issuer'];
type IssuerPage = OutputOf<'listTrustedIssuers'>['page'];
type IssuerTrust = Omit<
  PartsOf<'putTrustedIssuer'>['document'],
  'contract_version' | 'expected_revision'
>;

/** Issuers whose assertions prove credentials; needs the capability `credential_admin`. */
export class IssuerClient {
  readonly #call: CallOperation;

  constructor(call: CallOperation) {
    this.#call = call;
  }

  /**
   * States an issuer, or blocks it. Every change ends the tokens that were got with its assertions.
   * @throws {AgentkeepError} `revision_conflict` unless the issuer has this revision, 0 for a new
   * one.
   */
  async put(
    name: string,
    trust: IssuerTrust,
    expectedRevision: number,
    options?: CallOptions,
  ): Promise<Issuer> {
    requireArguments('issuers.put()', { name, trust, expectedRevision });
    const document = {
      contract_version: CONTRACT_VERSION,
      expected_revision: expectedRevision,
      ...trust,
    };
    const { issuer } = await this.#call('putTrustedIssuer', { id: name, document }, options);
    return issuer;
  }

  /** Returns an issuer, also a blocked one. An unknown one is `issuer_not_found`. */
  async get(name: string, options?: CallOptions): Promise<Issuer> {
    requireArguments('issuers.get()', { name });
    const { issuer } = await this.#call('getTrustedIssuer', { id: name }, options);
    return issuer;
  }

  /** Returns one page of 1 to 100 issuers. */
  async listPage(request: DirectoryRequest = {}): Promise<IssuerPage> {
    const { signal } = request;
    const parameters = directoryParameters(request);
    const { page } = await this.#call('listTrustedIssuers', { parameters }, { signal });
    return page;
  }

  /** Yields every issuer. */
  list(options: { limit?: number } & CallOptions = {}): AsyncGenerator<Issuer, void> {
    return everyItem((position) => this.listPage({ ...options, ...position }));
  }
}
