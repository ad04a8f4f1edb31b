/** How the families of the store are sealed. */
import { namespaces } from '../../kernel/access/namespace-store.js';
import { SealedFamilies } from '../../storage/sealing/sealed-families.js';
import { families } from './families.js';

/** The sealed families of the store. */
export const sealedFamilies = new SealedFamilies(Object.values(families), namespaces.number);
