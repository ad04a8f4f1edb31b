/** Where keys come from: the port that the ring of keys in memory is filled through. */

/** The secrets of a tenant, of 32 bytes each. */
export interface TenantSecrets {
  /** Wraps the data keys of the tenant. */
  readonly wrapping: Uint8Array;
  /** Makes the digests of texts in keys, and the ids of data keys. */
  readonly naming: Uint8Array;
}

/** A tenant by its part of keys, as text of one character per byte; the installation is ''. */
export type TenantText = string;

/** Keeps keys. Ids are texts of one character per byte, unique among all tenants. */
export interface KeySource {
  /** Returns the secrets of a tenant; `undefined` if they can't be had now. */
  findTenant(tenant: TenantText): Promise<TenantSecrets | undefined>;
  /** Makes the secrets of a tenant, durably, unless there are some; returns those that count. */
  makeTenant(tenant: TenantText): Promise<TenantSecrets>;
  /** Returns a data key; `undefined` if it can't be had now. */
  findKey(tenant: TenantText, id: string, secrets: TenantSecrets): Promise<Uint8Array | undefined>;
  /** Makes a data key, durably, unless there is one; returns the one that counts. */
  makeKey(tenant: TenantText, id: string, secrets: TenantSecrets): Promise<Uint8Array>;
  /** Whether a key was destroyed, as far as this process knows. */
  isDestroyed(id: string): boolean;
  /** Whether a key was retired or destroyed, as far as this process knows. */
  hasEnded(id: string): boolean;
  /** Returns the id of the current data key of an owner; `undefined` without one. */
  currentOf(tenant: TenantText, owner: string): Promise<string | undefined>;
  /** Lets keys seal nothing new. All processes know that after {@link knownAfterMs}. */
  retire(tenant: TenantText, ids: readonly string[]): Promise<void>;
  readonly knownAfterMs: number;
  /** Destroys data keys for good. */
  destroy(tenant: TenantText, ids: readonly string[]): Promise<void>;
  /** Destroys the secrets of a tenant, with the given id, and all its data keys for good. */
  destroyTenant(tenant: TenantText, id: string): Promise<void>;
  /** Calls back with each key that ends from now on, also by other processes. */
  follow(onEnded: (id: string) => void): void;
  /** Ends the work that follows other processes. */
  close(): Promise<void>;
}
