/** Tenants, credentials, subjects and what issuers prove. */
import { assertions } from '../../kernel/ports/assertions.js';
import { keyProofs } from '../../kernel/ports/key-proofs.js';
import { hasTenant, serviceOf } from '../../kernel/ports/known-callers.js';
import { defineDomain } from '../../upkeep/domain/domain.js';
import { serviceOf as serviceOfStored } from './delegation/hold-delegation.js';
import { tenancyErasure } from './erasure/tenancy-erasure.js';
import { JoseAssertions } from './federation/jose-assertions.js';
import { DpopProofs } from './key-credential/dpop-proofs.js';
import { hasTenant as isStoredTenant } from './tenant/tenant-store.js';
import * as administratorStore from './credential/administrator-store.js';
import * as changeScopeAuthority from './credential/change-scope-authority.js';
import * as credentialStore from './credential/credential-store.js';
import * as manageCredentials from './credential/manage-credentials.js';
import * as readCredentials from './credential/read-credentials.js';
import * as requireSecrets from './credential/require-secrets.js';
import * as issueSubjectToken from './delegation/issue-subject-token.js';
import * as manageSubjects from './delegation/manage-subjects.js';
import * as subjectStore from './delegation/subject-store.js';
import * as issueFederatedToken from './federation/issue-federated-token.js';
import * as issuerStore from './federation/issuer-store.js';
import * as trustedIssuers from './federation/trusted-issuers.js';
import * as globalCredentialStore from './global-credential/global-credential-store.js';
import * as manageGlobalCredentials from './global-credential/manage-global-credentials.js';
import * as issueKeyCredential from './key-credential/issue-key-credential.js';
import * as keyRequirement from './key-credential/key-requirement.js';
import * as programCredentialStore from './program-credential/program-credential-store.js';
import * as manageTenants from './tenant/manage-tenants.js';
import * as tenantStore from './tenant/tenant-store.js';

/** The domain of tenancy. */
export const tenancy = defineDomain({
  modules: [
    administratorStore,
    changeScopeAuthority,
    credentialStore,
    manageCredentials,
    readCredentials,
    requireSecrets,
    issueSubjectToken,
    manageSubjects,
    subjectStore,
    issueFederatedToken,
    issuerStore,
    trustedIssuers,
    globalCredentialStore,
    manageGlobalCredentials,
    issueKeyCredential,
    keyRequirement,
    programCredentialStore,
    manageTenants,
    tenantStore,
  ],
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
