/** Operations on tenants, credentials, subjects and trusted issuers. */
import { changeScopeAuthority } from '../identity/credential/change-scope-authority.js';
import { inspectCredential } from '../identity/credential/inspect-credential.js';
import { issueCredential } from '../identity/credential/issue-credential.js';
import { listTenantCredentials } from '../identity/credential/list-tenant-credentials.js';
import { revokeCredential } from '../identity/credential/revoke-credential.js';
import { rotateCredential } from '../identity/credential/rotate-credential.js';
import { whoAmI } from '../identity/credential/who-am-i.js';
import { getSubject } from '../identity/delegation/get-subject.js';
import { issueSubjectToken } from '../identity/delegation/issue-subject-token.js';
import { listSubjects } from '../identity/delegation/list-subjects.js';
import { putSubject } from '../identity/delegation/put-subject.js';
import { getTrustedIssuer } from '../identity/federation/get-trusted-issuer.js';
import { issueFederatedCredential } from '../identity/federation/issue-federated-credential.js';
import { issueFederatedToken } from '../identity/federation/issue-federated-token.js';
import { listTrustedIssuers } from '../identity/federation/list-trusted-issuers.js';
import { putTrustedIssuer } from '../identity/federation/put-trusted-issuer.js';
import { globalIdentity } from '../identity/global-credential/global-identity.js';
import { inspectGlobalCredential } from '../identity/global-credential/inspect-global-credential.js';
import { issueGlobalCredential } from '../identity/global-credential/issue-global-credential.js';
import { listGlobalCredentials } from '../identity/global-credential/list-global-credentials.js';
import { revokeGlobalCredential } from '../identity/global-credential/revoke-global-credential.js';
import { rotateGlobalCredential } from '../identity/global-credential/rotate-global-credential.js';
import { getKeyRequirement } from '../identity/key-credential/get-key-requirement.js';
import { issueKeyCredential } from '../identity/key-credential/issue-key-credential.js';
import { putKeyRequirement } from '../identity/key-credential/put-key-requirement.js';
import { replaceCredentialKey } from '../identity/key-credential/replace-credential-key.js';
import { inspectTenant } from '../identity/tenant/inspect-tenant.js';
import { issueTenantAdmin } from '../identity/tenant/issue-tenant-admin.js';
import { listTenants } from '../identity/tenant/list-tenants.js';
import { registerTenant } from '../identity/tenant/register-tenant.js';

/** These operations by name. */
export const identityOperations = {
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
