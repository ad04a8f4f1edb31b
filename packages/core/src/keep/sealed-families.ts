/** How the families of a store are sealed. */
import { namespaces } from '../kernel/access/namespace.js';
import { families } from '../domains.js';
import { SealedFamilies } from '../storage/sealing/sealed-families.js';

/** The sealed families of a store. */
export const sealedFamilies = new SealedFamilies(families.all, namespaces.number);
