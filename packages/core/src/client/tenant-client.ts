/** Client of the tenants of the installation. */
import { requireArguments } from '../contract/errors/arguments.js';
import { type CallOperation, type CallOptions, type OutputOf, stated } from './call.js';
import type { TenantRegistration } from '../domains/tenancy/tenant/schema.js';
import { CONTRACT_VERSION } from '../contract/version.js';
import { directoryParameters, type DirectoryRequest, everyItem } from './lists/page-walk.js';

/** A tenant and its first administrator, whose secret is shown only once. */
export type RegisteredTenant = Pick<OutputOf<'registerTenant'>, 'tenant' | 'credential' | 'secret'>;

/** One more administrator of a tenant, whose secret is shown only once. */
export type NewTenantAdmin = Pick<OutputOf<'issueTenantAdmin'>, 'credential' | 'secret'>;

/** A page of tenants in the order of their JSON-encoded ids, with the cursor of the next page. */
export type TenantPage = OutputOf<'listTenants'>['page'];

/** A tenant. One made by a local operator or by `agentFor()` has no registration. */
export type TenantEntry = TenantPage['items'][number];

/** The erasure of a tenant. */
export type TenantErasure = OutputOf<'getTenantErasure'>['erasure'];

/** The storage quota of a tenant, its revision and what it uses; `use` is null without a quota. */
export type TenantQuota = Pick<OutputOf<'getStorageQuota'>, 'quota' | 'revision' | 'use'>;

/** What a tenant stores: records of memory, and entries and bytes as quotas bound them. */
export type TenantUse = OutputOf<'getTenantUse'>['use'];

/** How a count of what a tenant stores is followed. */
export interface TenantUseOptions extends CallOptions {
  /** Called with what is counted after each part. */
  readonly onProgress?: (use: TenantUse) => void;
}

/** The bounds of a quota. A bound that is absent or null does not exist. */
export interface QuotaToSet {
  /** Entries of all kinds: records, receipts, tombstones, accounts, audit events and others. */
  readonly maxEntries?: number | null;
  /** Bytes of their keys and values. */
  readonly maxBytes?: number | null;
  /** The revision that is replaced, 0 for none. Absent replaces any. */
  readonly expectedRevision?: number;
}

/** A new tenant. All texts have 1 to 256 UTF-8 bytes. */
export interface TenantToRegister {
  /** Compared exactly. It cannot be changed. */
  readonly tenantId: string;
  /** The subject of the first administrator. */
  readonly subjectId: string;
  /** A name for people to read. */
  readonly displayName?: string;
}

/** Registers and inspects tenants. Each method needs its own capability. */
export class TenantClient {
  readonly #call: CallOperation;

  constructor(call: CallOperation) {
    this.#call = call;
  }

  /**
   * Creates a tenant and its first administrator. Needs `tenant_create`.
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
      ...stated({ display_name: displayName }),
    };
    return this.#call('registerTenant', { document }, options);
  }

  /**
   * Returns the registration of a tenant, or null if it has none. Needs `tenant_inspect`.
   * @throws {AgentkeepError} `tenant_not_found`
   */
  async inspect(tenantId: string, options?: CallOptions): Promise<TenantRegistration | null> {
    requireArguments('tenants.inspect()', { tenantId });
    const { registration } = await this.#call('inspectTenant', { id: tenantId }, options);
    return registration;
  }

  /**
   * Appoints one more administrator. Needs `tenant_admin`.
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

  /**
   * Returns the storage quota of a tenant and what it uses. Needs `tenant_inspect`.
   * @throws {AgentkeepError} `tenant_not_found`
   */
  async quota(tenantId: string, options?: CallOptions): Promise<TenantQuota> {
    requireArguments('tenants.quota()', { tenantId });
    return this.#call('getStorageQuota', { id: tenantId }, options);
  }

  /**
   * Replaces the storage quota of a tenant; `{}` removes it. Needs `tenant_admin`.
   * @throws {AgentkeepError} `tenant_not_found`; `revision_conflict` if the quota has another
   *   revision than `expectedRevision`
   */
  async setQuota(tenantId: string, quota: QuotaToSet, options?: CallOptions): Promise<TenantQuota> {
    requireArguments('tenants.setQuota()', { tenantId, quota });
    const { maxEntries = null, maxBytes = null, expectedRevision } = quota;
    const document = {
      contract_version: CONTRACT_VERSION,
      max_entries: maxEntries,
      max_bytes: maxBytes,
      ...stated({ expected_revision: expectedRevision }),
    };
    return this.#call('setStorageQuota', { id: tenantId, document }, options);
  }

  /**
   * Counts what a tenant stores, with or without a quota, part by part; `onProgress` gets what is
   * counted so far. What is written meanwhile may be counted or not. Needs `tenant_inspect`.
   * @throws {AgentkeepError} `tenant_not_found`
   */
  async use(tenantId: string, options: TenantUseOptions = {}): Promise<TenantUse> {
    requireArguments('tenants.use()', { tenantId });
    const { onProgress, signal } = options;
    const partAt = async (position: { readonly cursor?: string }) => {
      const parameters = { contract_version: CONTRACT_VERSION, ...position };
      const part = await this.#call('getTenantUse', { id: tenantId, parameters }, { signal });
      onProgress?.(part.use);
      return part;
    };
    let part = await partAt({});
    while (part.next_cursor !== null) part = await partAt({ cursor: part.next_cursor });
    return part.use;
  }

  /**
   * Begins to erase a tenant for good, with everything that it has, and returns at once. There is
   * no way back. `erasure` says how far it has got. Only the master may do it.
   * @throws {AgentkeepError} `tenant_not_found`
   */
  async erase(tenantId: string, options?: CallOptions): Promise<TenantErasure> {
    requireArguments('tenants.erase()', { tenantId });
    const document = { contract_version: CONTRACT_VERSION };
    const { erasure } = await this.#call('eraseTenant', { id: tenantId, document }, options);
    return erasure;
  }

  /**
   * Returns the erasure of a tenant by its id, with its certificate once it is finished. Only the
   * master may do it.
   * @throws {AgentkeepError} `erasure_not_found`
   */
  async erasure(id: string, options?: CallOptions): Promise<TenantErasure> {
    requireArguments('tenants.erasure()', { id });
    const { erasure } = await this.#call('getTenantErasure', { id }, options);
    return erasure;
  }

  /**
   * Yields the erasures of tenants, the oldest first, fetched a page at a time. They name no
   * tenant; an id that is known can be compared with the keyed digest. Only the master may do it.
   */
  erasures(
    options: { readonly limit?: number } & CallOptions = {},
  ): AsyncGenerator<TenantErasure, void> {
    return everyItem(async (position) => {
      const parameters = directoryParameters({ ...options, ...position });
      return (await this.#call('listTenantErasures', { parameters }, options)).page;
    });
  }

  /** Returns one page of 1 to 100 tenants. Needs `tenant_inspect`. */
  async listPage(request: DirectoryRequest = {}): Promise<TenantPage> {
    const { signal } = request;
    const parameters = directoryParameters(request);
    const { page } = await this.#call('listTenants', { parameters }, { signal });
    return page;
  }

  /** Yields every tenant, fetched a page at a time. Needs `tenant_inspect`. */
  list(options: { limit?: number } & CallOptions = {}): AsyncGenerator<TenantEntry, void> {
    return everyItem((position) => this.listPage({ ...options, ...position }));
  }
}
