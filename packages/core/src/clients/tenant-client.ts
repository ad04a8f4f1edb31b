/**
 * The tenants, as administrators of the installation use them.
 */
import { requireArguments } from '../contract/errors/arguments.js';
import type { CallOperation, CallOptions, OutputOf } from './call.js';
import type { TenantRegistration } from '../identity/tenant/schema.js';
import { CONTRACT_VERSION } from '../contract/version.js';
import { directoryParameters, type DirectoryRequest, everyItem } from './directory-walk.js';

/** A tenant and its first administrator, whose secret is shown only this once. */
export type RegisteredTenant = Pick<OutputOf<'registerTenant'>, 'tenant' | 'credential' | 'secret'>;

/** One more administrator of a tenant, whose secret is shown only this once. */
export type NewTenantAdmin = Pick<OutputOf<'issueTenantAdmin'>, 'credential' | 'secret'>;

/** Tenants in the order of their ids as JSON writes them, and the cursor of the next page. */
export type TenantPage = OutputOf<'listTenants'>['page'];

/** A tenant; one that a local operator made has no registration. */
export type TenantEntry = TenantPage['items'][number];

/** A tenant to make. All texts take 1 to 256 UTF-8 bytes. */
export interface TenantToRegister {
  /** Compared exactly; it never changes. */
  readonly tenantId: string;
  /** Whom the first administrator is for. */
  readonly subjectId: string;
  /** For people; nothing depends on it. */
  readonly displayName?: string;
}

/** Tenants; each operation needs a capability of its own. */
export class TenantClient {
  readonly #call: CallOperation;

  constructor(call: CallOperation) {
    this.#call = call;
  }

  /**
   * Makes a tenant and its first administrator; needs `tenant_create`.
   * @throws {AgentkeepError} `revision_conflict` when the id is taken.
   */
  async register(tenant: TenantToRegister, options?: CallOptions): Promise<RegisteredTenant> {
    requireArguments('tenants.register()', { tenant });
    const { tenantId, subjectId, displayName } = tenant;
    requireArguments('tenants.register()', { tenantId, subjectId });
    const document = {
      contract_version: CONTRACT_VERSION,
      tenant_id: tenantId,
      subject_id: subjectId,
      ...(displayName === undefined ? {} : { display_name: displayName }),
    };
    return this.#call('registerTenant', { document }, options);
  }

  /**
   * How a tenant was registered, null if a local operator made it; needs `tenant_inspect`.
   * @throws {AgentkeepError} `tenant_not_found`
   */
  async inspect(tenantId: string, options?: CallOptions): Promise<TenantRegistration | null> {
    requireArguments('tenants.inspect()', { tenantId });
    const { registration } = await this.#call('inspectTenant', { id: tenantId }, options);
    return registration;
  }

  /**
   * Appoints one more administrator; those that are there stay. Needs `tenant_admin`.
   * @throws {AgentkeepError} `tenant_not_found`
   */
  async appointAdmin(
    tenantId: string,
    subjectId: string,
    options?: CallOptions,
  ): Promise<NewTenantAdmin> {
    requireArguments('tenants.appointAdmin()', { tenantId, subjectId });
    const document = { contract_version: CONTRACT_VERSION, subject_id: subjectId };
    return this.#call('issueTenantAdmin', { id: tenantId, document }, options);
  }

  /** One page of the tenants, 1 to 100 of them; needs `tenant_inspect`. */
  async listPage(request: DirectoryRequest = {}): Promise<TenantPage> {
    const { signal } = request;
    const parameters = directoryParameters(request);
    const { page } = await this.#call('listTenants', { parameters }, { signal });
    return page;
  }

  /** Every tenant, fetched a page at a time; needs `tenant_inspect`. */
  list(options: { limit?: number } & CallOptions = {}): AsyncGenerator<TenantEntry, void> {
    return everyItem((position) => this.listPage({ ...options, ...position }));
  }
}
