/** Tenants, credentials, subjects and what issuers prove. */
import { defineDomain } from '../../upkeep/domain/domain.js';
import { tenancyErasure } from './erasure/tenancy-erasure.js';
import { tenancyFamilies } from './tenancy-families.js';
import { tenancyOperations } from './tenancy-operations.js';

/** The domain of tenancy. */
export const tenancy = defineDomain({
  families: tenancyFamilies,
  operations: tenancyOperations,
  erasure: tenancyErasure,
});
