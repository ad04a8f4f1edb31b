/** Finds the tenants that have any entry in a store, whether or not they are registered. */
import { afterTenant, tenantOfKey } from './key.js';
import type { ReadTx } from './store.js';

/**
 * Returns the first tenant after another one, in key order; `undefined` at the end. The
 * installation is the first, if it has entries.
 */
export function nextTenantWithData(tx: ReadTx, after: string | undefined): string | undefined {
  const from = after === undefined ? Buffer.alloc(0) : afterTenant(after);
  for (const { key } of tx.range({ from, to: Buffer.from([0xff]), limit: 1 })) {
    return tenantOfKey(key);
  }
  return undefined;
}
