/** Operations on erasures of subjects, scopes and tenants. */
import { eraseTenant } from './erase-tenant.js';
import { getErasure } from './get-erasure.js';
import { getTenantErasure } from './get-tenant-erasure.js';
import { listErasures } from './list-erasures.js';
import { startErasure } from './start-erasure.js';

/** These operations by name. */
export const erasureOperations = {
  startErasure,
  getErasure,
  listErasures,
  eraseTenant,
  getTenantErasure,
} as const;
