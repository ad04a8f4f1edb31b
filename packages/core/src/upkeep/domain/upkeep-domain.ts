/** What works for all domains alike, as a domain itself: its families and operations. */
import { defineDomain } from './domain.js';
import { ownFamilies } from './own-families.js';
import { upkeepOperations } from './upkeep-operations.js';

/** Kernel and upkeep. */
export const upkeep = defineDomain({ families: ownFamilies, operations: upkeepOperations });
