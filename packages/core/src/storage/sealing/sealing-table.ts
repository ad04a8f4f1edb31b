/** What is sealed: for every subspace, by whose key its values are, and which texts of its keys. */
import type { KeyShape } from '../store/key.js';
import { keyspace } from '../store/keyspace.js';

/**
 * Whose key seals a value: the owner of the namespace whose digest the key begins with, the subject
 * that the key begins with, or the tenant.
 */
export type SealedBy = 'namespace' | 'subject' | 'tenant';

/** How the entries of a subspace are sealed. */
export interface SealedFamily {
  readonly by: SealedBy;
  /** The text parts of the key that are stored as keyed digests. They are never listed by text. */
  readonly digests?: readonly number[];
}

const ofNamespace: SealedFamily = { by: 'namespace' };
const ofTenant: SealedFamily = { by: 'tenant' };
/** Values of ids, digests, times and numbers only, or needed before any key is there. */
const plain = undefined;

/** The table. A subspace without a line does not compile. */
const sealingTable: Readonly<Record<keyof typeof keyspace, SealedFamily | undefined>> = {
  epoch: plain,
  tenants: plain,
  credentialLocators: plain,
  credentials: ofTenant,
  credentialEvents: ofTenant,
  namespaces: ofTenant,
  memoryRecords: ofNamespace,
  memoryScan: ofNamespace,
  memoryReceipts: { by: 'namespace', digests: [1, 2] },
  auditHeads: plain,
  auditBlocks: ofTenant,
  auditPostings: plain,
  idFloor: plain,
  accounts: ofTenant,
  accountPasswords: ofTenant,
  accountLocators: plain,
  accountNames: plain,
  accountEmails: { by: 'tenant', digests: [0] },
  accountEvents: ofTenant,
  sessions: ofTenant,
  revokedTokens: plain,
  revocationExpiries: plain,
  signingKeys: ofTenant,
  apiKeys: ofTenant,
  apiKeyDigests: plain,
  lockouts: plain,
  lockoutTimes: plain,
  lockedNames: plain,
  unknownNames: plain,
  rateLimitPolicies: plain,
  markers: plain,
  tallies: plain,
  superAdmins: plain,
  globalCredentials: ofTenant,
  globalCredentialEvents: ofTenant,
  tenantDirectory: plain,
  accountDirectory: plain,
  tallySlots: plain,
  programCredentials: { by: 'tenant', digests: [0] },
  learningPolicies: ofTenant,
  learningContexts: ofTenant,
  learningSelection: ofNamespace,
  learningProposals: ofNamespace,
  learningProcedures: ofNamespace,
  learningAdmissions: ofNamespace,
  learningEvidence: ofNamespace,
  learningFamilies: ofNamespace,
  subjects: ofTenant,
  keyRequirements: plain,
  toolExecutors: ofTenant,
  toolArtifacts: ofNamespace,
  toolDevelopments: ofNamespace,
  toolDevelopmentEvents: ofNamespace,
  trustedIssuers: ofTenant,
  experiences: ofNamespace,
  experienceEvents: ofNamespace,
  apiKeyEndings: plain,
  revocationCounts: plain,
  storageQuotas: plain,
  memoryNames: { by: 'namespace', digests: [1] },
  memoryBatchReceipts: { by: 'subject', digests: [0, 1] },
  memoryRevisions: ofNamespace,
  memoryChanges: plain,
  memoryChangeFloors: plain,
  memoryRetention: plain,
  memoryPurges: plain,
  memorySweeps: plain,
  embeddingSpaces: plain,
  webhooks: ofTenant,
  webhookDeliveries: plain,
  webhookDeadLetters: plain,
  webhookTenants: plain,
  connections: ofTenant,
  grantEntries: ofTenant,
  grantExpiries: plain,
  signInSettings: ofTenant,
  signInLinks: plain,
  signInSessions: plain,
  signInUses: plain,
  memorySources: plain,
  memoryDependents: plain,
  memoryRedactedSources: plain,
  memoryTraces: plain,
  memoryTraced: plain,
  memoryConsumers: ofTenant,
  memoryBranches: ofTenant,
  memoryBranchSpaces: plain,
  memoryBranchHolds: plain,
  memoryBranchHeads: plain,
  memoryBranchMerged: plain,
  memoryBranchMerges: plain,
  memoryRemovals: plain,
  memoryProposals: ofTenant,
  memoryProposalOrder: plain,
  memoryProposalCounts: plain,
  erasures: ofTenant,
  runningErasures: plain,
  erasureMarks: plain,
  auditSeams: ofTenant,
  erasedReceiptKeys: ofTenant,
  erasedReceipts: plain,
  sealing: plain,
  sealedTenants: plain,
};

/** The sealed subspaces, with their numbers and the shapes of their keys. */
export interface NumberedFamily extends SealedFamily {
  readonly number: number;
  readonly shape: KeyShape;
}

const numbered: NumberedFamily[] = [];
for (const [name, family] of Object.entries(sealingTable)) {
  const { number, shape } = keyspace[name as keyof typeof keyspace];
  if (family !== undefined) numbered[number] = { ...family, number, shape };
}

/** Returns how the subspace of a key is sealed; `undefined` for one whose values stay readable. */
export function sealedFamilyOf(key: Uint8Array): NumberedFamily | undefined {
  const end = key.indexOf(0);
  return end === -1 ? undefined : numbered[key[end + 1] ?? -1];
}
