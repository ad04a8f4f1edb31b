/** The families of tenancy. */
import { listFamilies } from '../../storage/store/family.js';
import { administrators } from './credential/administrator-store.js';
import {
  credentialEvents,
  credentialLocators,
  credentials,
} from './credential/credential-store.js';
import { keyRequirements } from './credential/require-secrets.js';
import { subjects } from './delegation/subject-store.js';
import { trustedIssuers } from './federation/issuer-store.js';
import {
  globalCredentialEvents,
  globalCredentials,
} from './global-credential/global-credential-store.js';
import { programCredentials } from './program-credential/program-credential-store.js';
import { tenantDirectory, tenants } from './tenant/tenant-store.js';

/** All families of tenancy. */
export const tenancyFamilies = listFamilies(
  administrators,
  credentials,
  credentialEvents,
  credentialLocators,
  keyRequirements,
  subjects,
  trustedIssuers,
  globalCredentials,
  globalCredentialEvents,
  programCredentials,
  tenants,
  tenantDirectory,
);
