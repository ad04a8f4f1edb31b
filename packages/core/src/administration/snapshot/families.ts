/**
 * All subspaces by name, and which of them are derived from others. Reports call a subspace a
 * family.
 */
import { namespaceSubspaces } from '../../access/namespace-store.js';
import { accountSubspaces } from '../../people/account/account-store.js';
import { apiKeySubspaces } from '../../people/api-key/api-key-store.js';
import { keyEndingSubspaces } from '../../people/api-key/key-endings.js';
import { connectionSubspaces } from '../../people/connection/connection-store.js';
import { grantEntrySubspaces } from '../../people/connection/grant-entry-store.js';
import { auditSubspaces } from '../audit/audit-store.js';
import { credentialSubspaces } from '../../identity/credential/credential-store.js';
import { admissionSubspaces } from '../../learning/procedure/admission-store.js';
import { entrySubspaces } from '../../learning/policy/entry-store.js';
import { learningFamilySubspaces } from '../../learning/procedure/family-store.js';
import { procedureSubspaces } from '../../learning/procedure/procedure-store.js';
import { selectionSubspaces } from '../../learning/procedure/selection-store.js';
import { experienceSubspaces } from '../../learning/experience/experience-store.js';
import { lockoutSubspaces } from '../../people/lockout/lockout-store.js';
import { markerSubspaces } from '../../runtime/installation/marker-store.js';
import { keyRequirementSubspaces } from '../../identity/credential/key-requirement-store.js';
import { issuerSubspaces } from '../../identity/federation/issuer-store.js';
import { subjectSubspaces } from '../../identity/delegation/subject-store.js';
import { globalCredentialSubspaces } from '../../identity/global-credential/global-credential-store.js';
import { branchSubspaces } from '../../memory/branch/branch-store.js';
import { mergeSubspaces } from '../../memory/branch/merge-store.js';
import { batchSubspaces } from '../../memory/record/batch-receipt-store.js';
import { consumerSubspaces } from '../../memory/consumers/consumer-store.js';
import { changeSubspaces } from '../../memory/journal/change-store.js';
import { memorySubspaces } from '../../memory/record/memory-store.js';
import { retentionSubspaces } from '../../memory/retention/retention-store.js';
import { spaceSubspaces } from '../../memory/spaces/space-store.js';
import { revisionSubspaces } from '../../memory/revision/revision-store.js';
import { sourceSubspaces } from '../../memory/record/source-store.js';
import { traceSubspaces } from '../../memory/record/trace-store.js';
import { sweepSubspaces } from '../../memory/retention/sweep-store.js';
import { programCredentialSubspaces } from '../../identity/program-credential/program-credential-store.js';
import { quotaSubspaces } from '../quota/quota-store.js';
import { rateLimitSubspaces } from '../rate-limit/rate-limit-store.js';
import { idSubspaces } from '../../runtime/services/durable-ids.js';
import { signInSettingsSubspaces } from '../../people/sign-in/settings-store.js';
import { signInUseSubspaces } from '../../people/sign-in/use-store.js';
import { sessionSubspaces } from '../../people/session/session-store.js';
import { tallySubspaces } from '../stats/tally-store.js';
import { sealingSubspaces } from '../../storage/sealing/tenant-marks.js';
import { keyspace } from '../../storage/store/keyspace.js';
import { epochSubspace } from '../../storage/store/position.js';
import { tenantSubspaces } from '../../identity/tenant/tenant-store.js';
import { toolSubspaces } from '../../learning/tool/tool-store.js';
import { deliverySubspaces } from '../../webhooks/delivery-store.js';
import { webhookSubspaces } from '../../webhooks/webhook-store.js';
import { revocationSubspaces } from '../../people/token/revocation-store.js';
import { signingKeySubspaces } from '../../people/token/signing-key-store.js';

/** Name of a subspace. */
export type FamilyName = keyof typeof keyspace;

/** The part of a subspace that checks need. */
export interface FamilySubspace {
  /**
   * Decodes a value.
   * @throws {AgentkeepError} `storage_inconsistency`
   */
  open(key: Uint8Array, sealed: Uint8Array): unknown;
}

/** Every subspace with its layout. A missing one doesn't compile. */
export const familySubspaces: Readonly<Record<FamilyName, FamilySubspace>> = {
  ...tenantSubspaces,
  ...credentialSubspaces,
  ...issuerSubspaces,
  ...programCredentialSubspaces,
  ...subjectSubspaces,
  ...keyRequirementSubspaces,
  ...namespaceSubspaces,
  ...memorySubspaces,
  ...batchSubspaces,
  ...changeSubspaces,
  epoch: epochSubspace,
  ...revisionSubspaces,
  ...sourceSubspaces,
  ...traceSubspaces,
  ...consumerSubspaces,
  ...retentionSubspaces,
  ...spaceSubspaces,
  ...sweepSubspaces,
  ...branchSubspaces,
  ...mergeSubspaces,
  ...webhookSubspaces,
  ...deliverySubspaces,
  ...auditSubspaces,
  ...idSubspaces,
  ...apiKeySubspaces,
  ...keyEndingSubspaces,
  ...connectionSubspaces,
  ...grantEntrySubspaces,
  ...accountSubspaces,
  ...globalCredentialSubspaces,
  ...sessionSubspaces,
  ...signInSettingsSubspaces,
  ...signInUseSubspaces,
  ...revocationSubspaces,
  ...signingKeySubspaces,
  ...lockoutSubspaces,
  ...rateLimitSubspaces,
  ...quotaSubspaces,
  ...markerSubspaces,
  ...tallySubspaces,
  ...entrySubspaces,
  ...procedureSubspaces,
  ...selectionSubspaces,
  ...learningFamilySubspaces,
  ...admissionSubspaces,
  ...toolSubspaces,
  ...experienceSubspaces,
  ...sealingSubspaces,
};

/** How a subspace is derived from another. */
export interface Derivation {
  /** Null for working state, which may differ between stores with the same content. */
  readonly source: FamilyName | null;
  /** Whether it has exactly one entry for each entry of its source. */
  readonly isOneEach: boolean;
}

/** Subspaces that only index others. */
export const derivations: Readonly<Partial<Record<FamilyName, Derivation>>> = {
  credentialLocators: { source: 'credentials', isOneEach: true },
  memoryScan: { source: 'memoryRecords', isOneEach: true },
  memoryNames: { source: 'memoryRecords', isOneEach: false },
  memoryPurges: { source: null, isOneEach: false },
  memoryTraces: { source: null, isOneEach: false },
  memoryTraced: { source: null, isOneEach: false },
  memoryDependents: { source: 'memorySources', isOneEach: false },
  memorySweeps: { source: null, isOneEach: false },
  memoryBranches: { source: null, isOneEach: false },
  memoryBranchSpaces: { source: null, isOneEach: false },
  memoryBranchHolds: { source: null, isOneEach: false },
  memoryBranchHeads: { source: null, isOneEach: false },
  memoryBranchMerged: { source: null, isOneEach: false },
  memoryBranchMerges: { source: null, isOneEach: false },
  auditPostings: { source: 'auditBlocks', isOneEach: false },
  accountLocators: { source: 'accounts', isOneEach: true },
  accountDirectory: { source: 'accounts', isOneEach: true },
  tenantDirectory: { source: 'tenants', isOneEach: true },
  accountNames: { source: 'accounts', isOneEach: true },
  accountEmails: { source: 'accounts', isOneEach: false },
  superAdmins: { source: 'accounts', isOneEach: false },
  signInLinks: { source: 'accounts', isOneEach: false },
  signInSessions: { source: 'sessions', isOneEach: false },
  idFloor: { source: null, isOneEach: false },
  epoch: { source: null, isOneEach: false },
  revocationExpiries: { source: 'revokedTokens', isOneEach: true },
  revocationCounts: { source: 'revokedTokens', isOneEach: false },
  lockoutTimes: { source: 'lockouts', isOneEach: false },
  lockedNames: { source: 'lockouts', isOneEach: false },
  unknownNames: { source: 'lockouts', isOneEach: false },
  learningSelection: { source: 'learningProcedures', isOneEach: false },
  learningEvidence: { source: 'learningAdmissions', isOneEach: false },
  learningFamilies: { source: 'learningProcedures', isOneEach: false },
  grantExpiries: { source: 'grantEntries', isOneEach: true },
  apiKeyDigests: { source: 'apiKeys', isOneEach: true },
  webhookTenants: { source: 'webhooks', isOneEach: false },
  sealing: { source: null, isOneEach: false },
  tallies: { source: null, isOneEach: false },
  tallySlots: { source: null, isOneEach: false },
};

/** All names, in the order of the key space. */
export const familyNames = Object.keys(keyspace) as FamilyName[];

const nameOfNumber = new Map<number, FamilyName>(
  familyNames.map((name) => [keyspace[name].number, name]),
);

/** Returns the subspace of a key, or `undefined` if it is unknown. */
export function familyOfKey(key: Uint8Array): FamilyName | undefined {
  // The tenant ends with the first 00, and the number follows.
  const end = key.indexOf(0);
  const number = end === -1 ? undefined : key[end + 1];
  return number === undefined ? undefined : nameOfNumber.get(number);
}
