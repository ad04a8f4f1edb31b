/** What is sealed: for every subspace, by whose key its values are, and which texts of its keys. */
import { type KeyShape, tenantEnd } from '../store/key.js';
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

const byNamespace: SealedFamily = { by: 'namespace' };
const byTenant: SealedFamily = { by: 'tenant' };
/** Values of ids, digests, times and numbers only, or needed before any key is there. */
const plain = undefined;

/** The table. A subspace without a line does not compile. */
const sealingTable: Readonly<Record<keyof typeof keyspace, SealedFamily | undefined>> = {
  epoch: plain,
  tenants: plain,
  credentialLocators: plain,
  credentials: byTenant,
  credentialEvents: byTenant,
  namespaces: byTenant,
  memoryRecords: byNamespace,
  memoryScan: byNamespace,
  memoryReceipts: { by: 'namespace', digests: [1, 2] },
  auditHeads: plain,
  auditBlocks: byTenant,
  auditPostings: plain,
  idFloor: plain,
  accounts: byTenant,
  accountPasswords: byTenant,
  accountLocators: plain,
  accountNames: plain,
  accountEmails: { by: 'tenant', digests: [0] },
  accountEvents: byTenant,
  sessions: byTenant,
  revokedTokens: plain,
  revocationExpiries: plain,
  signingKeys: byTenant,
  apiKeys: byTenant,
  apiKeyDigests: plain,
  lockouts: byTenant,
  lockoutTimes: plain,
  lockedNames: plain,
  unknownNames: plain,
  rateLimitPolicies: plain,
  markers: plain,
  tallies: plain,
  superAdmins: plain,
  administrators: plain,
  globalCredentials: byTenant,
  globalCredentialEvents: byTenant,
  tenantDirectory: plain,
  accountDirectory: plain,
  tallySlots: plain,
  programCredentials: { by: 'tenant', digests: [0] },
  learningPolicies: byTenant,
  learningContexts: byTenant,
  learningSelection: byNamespace,
  learningProposals: byNamespace,
  learningProcedures: byNamespace,
  learningAdmissions: byNamespace,
  learningEvidence: byNamespace,
  learningFamilies: byNamespace,
  subjects: byTenant,
  keyRequirements: plain,
  toolExecutors: byTenant,
  toolArtifacts: byNamespace,
  toolDevelopments: byNamespace,
  toolDevelopmentEvents: byNamespace,
  trustedIssuers: byTenant,
  experiences: byNamespace,
  experienceEvents: byNamespace,
  revocationCounts: plain,
  storageQuotas: plain,
  memoryNames: { by: 'namespace', digests: [1] },
  memoryBatchReceipts: { by: 'subject', digests: [0, 1] },
  memoryRevisions: byNamespace,
  memoryChanges: plain,
  memoryChangeFloors: plain,
  memoryRetention: plain,
  memoryPurges: plain,
  memorySweeps: plain,
  embeddingSpaces: plain,
  webhooks: byTenant,
  webhookDeliveries: plain,
  webhookDeadLetters: plain,
  webhookTenants: plain,
  connections: byTenant,
  grantEntries: byTenant,
  grantExpiries: plain,
  grantSlots: plain,
  signInSettings: byTenant,
  signInLinks: plain,
  signInSessions: plain,
  signInUses: plain,
  memorySources: plain,
  memoryDependents: plain,
  memoryRedactedSources: plain,
  memoryTraces: plain,
  memoryTraced: plain,
  memoryConsumers: byTenant,
  memoryBranches: byTenant,
  memoryBranchSpaces: plain,
  memoryBranchHolds: plain,
  memoryBranchHeads: plain,
  memoryBranchMerged: plain,
  memoryBranchMerges: plain,
  memoryEndedBranches: plain,
  memoryRemovals: plain,
  memoryProposals: byTenant,
  memoryProposalOrder: plain,
  memoryProposalCounts: plain,
  erasures: byTenant,
  runningErasures: plain,
  erasureMarks: plain,
  auditSeams: byTenant,
  erasedReceiptKeys: byTenant,
  erasedReceipts: plain,
  erasedSubjectKeys: byTenant,
  erasedSubjects: plain,
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
  const end = tenantEnd(key);
  return end === -1 ? undefined : numbered[key[end + 1] ?? -1];
}
