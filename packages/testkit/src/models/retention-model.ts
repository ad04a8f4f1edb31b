/** How long the memory of tenants is kept, from the contract alone (docs/contract/history.md). */
import { DEFAULT_RETENTION, type ModelRetention } from './memory-history.js';
import { Refusal } from './outcome.js';

/** What tenants have set. */
export class RetentionModel {
  readonly #byTenant = new Map<string, ModelRetention>();

  /** What holds in a space of records. */
  in(space: string): ModelRetention {
    return this.#byTenant.get((JSON.parse(space) as [string])[0]) ?? DEFAULT_RETENTION;
  }

  /** Whether a tenant has set it. */
  isSet(tenantId: string): boolean {
    return this.#byTenant.has(tenantId);
  }

  /** Sets it for a tenant. Histories do so once, from the defaults. */
  set(tenantId: string, retention: ModelRetention, expectedRevision: number): void {
    const current = this.#byTenant.has(tenantId) ? 1 : 0;
    if (current !== expectedRevision) throw new Refusal('revision_conflict');
    this.#byTenant.set(tenantId, retention);
  }
}
