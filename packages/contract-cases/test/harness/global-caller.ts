/**
 * A caller with a credential of the installation: a token and a transport, with a short form of
 * every call.
 */
import type { GlobalCredential, OperationName } from '@agentkeep/core';
import { type Answer, type Parts, result } from './answer.js';
import { Caller, type Members } from './caller.js';
import type { Transport } from './transport.js';

/** All capabilities, in the order of responses. */
export const everyCapability = [
  'tenant_create',
  'tenant_inspect',
  'tenant_admin',
  'global_credential_admin',
] as const;

/** The smallest valid spec of an installation's credential. */
export const minimalGlobalSpec = { subject_id: 's', capabilities: ['tenant_inspect'] } as const;

/** A caller with a credential of the installation. */
export class GlobalCaller {
  readonly #transport: Transport;
  /** The token that it sends. */
  readonly token: string;
  /** The credential behind the token, as issued. */
  readonly credential: GlobalCredential;

  constructor(transport: Transport, token: string, credential: GlobalCredential) {
    this.#transport = transport;
    this.token = token;
    this.credential = credential;
  }

  get id(): string {
    return this.credential.id;
  }

  /** The same credential with another token. */
  with(token: string): GlobalCaller {
    return new GlobalCaller(this.#transport, token, this.credential);
  }

  call<N extends OperationName>(name: N, parts: Parts): Promise<Answer<N>> {
    return this.#transport(name, this.token, parts);
  }

  identity(): Promise<Answer<'globalIdentity'>> {
    return this.call('globalIdentity', {});
  }

  /** Issues a credential; returns the response. */
  issue(spec: unknown): Promise<Answer<'issueGlobalCredential'>> {
    return this.call('issueGlobalCredential', { document: { contract_version: 1, spec } });
  }

  /** Issues a credential; returns the caller that holds its secret. */
  async delegate(capabilities: readonly string[], members: Members = {}): Promise<GlobalCaller> {
    const spec = { ...minimalGlobalSpec, capabilities, ...members };
    const { secret, credential } = result(await this.issue(spec));
    return new GlobalCaller(this.#transport, secret, credential);
  }

  inspect(id: unknown): Promise<Answer<'inspectGlobalCredential'>> {
    return this.call('inspectGlobalCredential', { id });
  }

  rotate(
    id: unknown,
    expected_revision: unknown,
    members: Record<string, unknown> = {},
  ): Promise<Answer<'rotateGlobalCredential'>> {
    const document = { contract_version: 1, expected_revision, ...members };
    return this.call('rotateGlobalCredential', { id, document });
  }

  revoke(id: unknown, expected_revision: unknown): Promise<Answer<'revokeGlobalCredential'>> {
    const document = { contract_version: 1, expected_revision };
    return this.call('revokeGlobalCredential', { id, document });
  }

  list(parameters: Members = {}): Promise<Answer<'listGlobalCredentials'>> {
    return this.call('listGlobalCredentials', {
      parameters: { contract_version: 1, ...parameters },
    });
  }

  register(members: Members): Promise<Answer<'registerTenant'>> {
    const document = { contract_version: 1, subject_id: 'ops', ...members };
    return this.call('registerTenant', { document });
  }

  /** Registers a tenant; returns its first administrator. */
  async registered(tenant_id: string): Promise<Caller> {
    const { secret, credential } = result(await this.register({ tenant_id }));
    return new Caller(this.#transport, secret, credential);
  }

  inspectTenant(id: unknown): Promise<Answer<'inspectTenant'>> {
    return this.call('inspectTenant', { id });
  }

  appoint(id: unknown, subject_id: unknown = 'deputy'): Promise<Answer<'issueTenantAdmin'>> {
    return this.call('issueTenantAdmin', { id, document: { contract_version: 1, subject_id } });
  }

  quotaOf(id: unknown): Promise<Answer<'getStorageQuota'>> {
    return this.call('getStorageQuota', { id });
  }

  useOf(id: unknown, parameters: Members = {}): Promise<Answer<'getTenantUse'>> {
    return this.call('getTenantUse', { id, parameters: { contract_version: 1, ...parameters } });
  }

  setQuota(id: unknown, limits: Members): Promise<Answer<'setStorageQuota'>> {
    const document = { contract_version: 1, max_entries: null, max_bytes: null, ...limits };
    return this.call('setStorageQuota', { id, document });
  }

  listTenants(parameters: Members = {}): Promise<Answer<'listTenants'>> {
    return this.call('listTenants', { parameters: { contract_version: 1, ...parameters } });
  }
}
