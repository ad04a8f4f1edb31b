/** Erasures, as administrators ask for them. `upkeep/erasure/` carries them out. */
import { defineDomain } from '../../upkeep/domain/domain.js';
import { getErasure, getTenantErasure, listErasures } from './read-erasures.js';
import { eraseTenant, startErasure } from './start-erasure.js';

/** These operations by name. */
const erasureOperations = {
  startErasure,
  getErasure,
  listErasures,
  eraseTenant,
  getTenantErasure,
} as const;

/** The domain of erasures. */
export const erasure = defineDomain({ families: [], operations: erasureOperations });
