/** Operations on tenants, credentials, subjects and trusted issuers. */
import { changeScopeAuthority } from '../domains/tenancy/credential/change-scope-authority.js';
import { inspectCredential } from '../domains/tenancy/credential/inspect-credential.js';
import { issueCredential } from '../domains/tenancy/credential/issue-credential.js';
import { listTenantCredentials } from '../domains/tenancy/credential/list-tenant-credentials.js';
import { revokeCredential } from '../domains/tenancy/credential/revoke-credential.js';
import { rotateCredential } from '../domains/tenancy/credential/rotate-credential.js';
import { whoAmI } from '../domains/tenancy/credential/who-am-i.js';
import { getSubject } from '../domains/tenancy/delegation/get-subject.js';
import { issueSubjectToken } from '../domains/tenancy/delegation/issue-subject-token.js';
import { listSubjects } from '../domains/tenancy/delegation/list-subjects.js';
import { putSubject } from '../domains/tenancy/delegation/put-subject.js';
import { getTrustedIssuer } from '../domains/tenancy/federation/get-trusted-issuer.js';
import { issueFederatedCredential } from '../domains/tenancy/federation/issue-federated-credential.js';
import { issueFederatedToken } from '../domains/tenancy/federation/issue-federated-token.js';
import { listTrustedIssuers } from '../domains/tenancy/federation/list-trusted-issuers.js';
import { putTrustedIssuer } from '../domains/tenancy/federation/put-trusted-issuer.js';
import { globalIdentity } from '../domains/tenancy/global-credential/global-identity.js';
import { inspectGlobalCredential } from '../domains/tenancy/global-credential/inspect-global-credential.js';
import { issueGlobalCredential } from '../domains/tenancy/global-credential/issue-global-credential.js';
import { listGlobalCredentials } from '../domains/tenancy/global-credential/list-global-credentials.js';
import { revokeGlobalCredential } from '../domains/tenancy/global-credential/revoke-global-credential.js';
import { rotateGlobalCredential } from '../domains/tenancy/global-credential/rotate-global-credential.js';
import { getKeyRequirement } from '../domains/tenancy/key-credential/get-key-requirement.js';
import { issueKeyCredential } from '../domains/tenancy/key-credential/issue-key-credential.js';
import { putKeyRequirement } from '../domains/tenancy/key-credential/put-key-requirement.js';
import { replaceCredentialKey } from '../domains/tenancy/key-credential/replace-credential-key.js';
import { inspectTenant } from '../domains/tenancy/tenant/inspect-tenant.js';
import { issueTenantAdmin } from '../domains/tenancy/tenant/issue-tenant-admin.js';
import { listTenants } from '../domains/tenancy/tenant/list-tenants.js';
import { registerTenant } from '../domains/tenancy/tenant/register-tenant.js';

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
