/** Tenants, credentials, subjects and what issuers prove. */
import { defineDomain } from '../../upkeep/domain/domain.js';
import { assertions } from '../../kernel/ports/assertions.js';
import { keyProofs } from '../../kernel/ports/key-proofs.js';
import { hasTenant, serviceOf } from '../../kernel/ports/known-callers.js';
import { serviceOf as serviceOfStored } from './delegation/service-of.js';
import { JoseAssertions } from './federation/jose-assertions.js';
import { DpopProofs } from './key-credential/dpop-proofs.js';
import { hasTenant as isStoredTenant } from './tenant/tenant-store.js';
import { tenancyErasure } from './erasure/tenancy-erasure.js';
import { tenancyFamilies } from './tenancy-families.js';
import { tenancyOperations } from './tenancy-operations.js';

/** The domain of tenancy. */
export const tenancy = defineDomain({
  families: tenancyFamilies,
  operations: tenancyOperations,
  erasure: tenancyErasure,
  open: ({ entropy, documentFetcher }) => ({
    sweepers: [],
    ports: [
      hasTenant.answeredBy(isStoredTenant),
      serviceOf.answeredBy(serviceOfStored),
      keyProofs.answeredBy(new DpopProofs(entropy)),
      assertions.answeredBy(new JoseAssertions(documentFetcher)),
    ],
  }),
});
