/** Reach: which scopes and subjects a tenant has, and who reaches what. */
import { defineDomain } from '../../upkeep/domain/domain.js';
import { reachOperations } from './reach-operations.js';

/** The domain of reach. It stores nothing of its own. */
export const reach = defineDomain({ families: [], operations: reachOperations });
