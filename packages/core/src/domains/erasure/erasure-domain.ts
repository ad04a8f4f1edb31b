/** Erasures, as administrators ask for them. `upkeep/erasure/` carries them out. */
import { defineDomain } from '../../upkeep/domain/domain.js';
import * as readErasures from './read-erasures.js';
import * as startErasure from './start-erasure.js';

/** The domain of erasures. */
export const erasure = defineDomain({ modules: [readErasures, startErasure] });
