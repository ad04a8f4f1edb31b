/** Erasures, as administrators ask for them. `upkeep/erasure/` carries them out. */
import { defineDomain } from '../../upkeep/domain/domain.js';
import { erasureOperations } from './erasure-operations.js';

/** The domain of erasures. */
export const erasure = defineDomain({ families: [], operations: erasureOperations });
