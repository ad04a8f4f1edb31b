/** Tenants, credentials, subjects and what issuers prove. */
import { assertions } from '../../kernel/ports/assertions.js';
import { keyProofs } from '../../kernel/ports/key-proofs.js';
import { hasTenant, serviceOf } from '../../kernel/ports/known-callers.js';
import { defineDomain } from '../../upkeep/domain/domain.js';
import { changeScopeAuthority } from './credential/change-scope-authority.js';
import {
  issueCredential,
  revokeCredential,
  rotateCredential,
} from './credential/manage-credentials.js';
import { inspectCredential, listTenantCredentials, whoAmI } from './credential/read-credentials.js';
import { serviceOf as serviceOfStored } from './delegation/hold-delegation.js';
import { issueSubjectToken } from './delegation/issue-subject-token.js';
import { getSubject, listSubjects, putSubject } from './delegation/manage-subjects.js';
import { tenancyErasure } from './erasure/tenancy-erasure.js';
import {
  issueFederatedCredential,
  issueFederatedToken,
} from './federation/issue-federated-token.js';
import { JoseAssertions } from './federation/jose-assertions.js';
import {
  getTrustedIssuer,
  listTrustedIssuers,
  putTrustedIssuer,
} from './federation/trusted-issuers.js';
import { globalIdentity } from './global-credential/global-credential-store.js';
import {
  inspectGlobalCredential,
  issueGlobalCredential,
  listGlobalCredentials,
  revokeGlobalCredential,
  rotateGlobalCredential,
} from './global-credential/manage-global-credentials.js';
import { DpopProofs } from './key-credential/dpop-proofs.js';
import { issueKeyCredential, replaceCredentialKey } from './key-credential/issue-key-credential.js';
import { getKeyRequirement, putKeyRequirement } from './key-credential/key-requirement.js';
import { tenancyFamilies } from './tenancy-families.js';
import {
  inspectTenant,
  issueTenantAdmin,
  listTenants,
  registerTenant,
} from './tenant/manage-tenants.js';
import { hasTenant as isStoredTenant } from './tenant/tenant-store.js';

/** These operations by name. */
const tenancyOperations = {
  whoAmI,
  issueCredential,
  listTenantCredentials,
  inspectCredential,
  rotateCredential,
  revokeCredential,
  changeScopeAuthority,
  issueKeyCredential,
  replaceCredentialKey,
  getKeyRequirement,
  putKeyRequirement,
  getTrustedIssuer,
  issueFederatedCredential,
  issueFederatedToken,
  listTrustedIssuers,
  putTrustedIssuer,
  issueSubjectToken,
  listSubjects,
  getSubject,
  putSubject,
  globalIdentity,
  issueGlobalCredential,
  listGlobalCredentials,
  inspectGlobalCredential,
  rotateGlobalCredential,
  revokeGlobalCredential,
  registerTenant,
  listTenants,
  inspectTenant,
  issueTenantAdmin,
} as const;

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
