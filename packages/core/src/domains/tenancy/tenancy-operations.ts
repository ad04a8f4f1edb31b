/** Operations on tenants, credentials, subjects and trusted issuers. */
import { changeScopeAuthority } from './credential/change-scope-authority.js';
import { inspectCredential } from './credential/inspect-credential.js';
import { issueCredential } from './credential/issue-credential.js';
import { listTenantCredentials } from './credential/list-tenant-credentials.js';
import { revokeCredential } from './credential/revoke-credential.js';
import { rotateCredential } from './credential/rotate-credential.js';
import { whoAmI } from './credential/who-am-i.js';
import { getSubject } from './delegation/get-subject.js';
import { issueSubjectToken } from './delegation/issue-subject-token.js';
import { listSubjects } from './delegation/list-subjects.js';
import { putSubject } from './delegation/put-subject.js';
import { getTrustedIssuer } from './federation/get-trusted-issuer.js';
import { issueFederatedCredential } from './federation/issue-federated-credential.js';
import { issueFederatedToken } from './federation/issue-federated-token.js';
import { listTrustedIssuers } from './federation/list-trusted-issuers.js';
import { putTrustedIssuer } from './federation/put-trusted-issuer.js';
import { globalIdentity } from './global-credential/global-identity.js';
import { inspectGlobalCredential } from './global-credential/inspect-global-credential.js';
import { issueGlobalCredential } from './global-credential/issue-global-credential.js';
import { listGlobalCredentials } from './global-credential/list-global-credentials.js';
import { revokeGlobalCredential } from './global-credential/revoke-global-credential.js';
import { rotateGlobalCredential } from './global-credential/rotate-global-credential.js';
import { getKeyRequirement } from './key-credential/get-key-requirement.js';
import { issueKeyCredential } from './key-credential/issue-key-credential.js';
import { putKeyRequirement } from './key-credential/put-key-requirement.js';
import { replaceCredentialKey } from './key-credential/replace-credential-key.js';
import { inspectTenant } from './tenant/inspect-tenant.js';
import { issueTenantAdmin } from './tenant/issue-tenant-admin.js';
import { listTenants } from './tenant/list-tenants.js';
import { registerTenant } from './tenant/register-tenant.js';

/** These operations by name. */
export const tenancyOperations = {
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
