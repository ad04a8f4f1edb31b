/**
 * The table of families: for every subspace of the store, whose its entries are, and how they are
 * exported, erased and counted. Exports, erasures, listings and checks of snapshots walk it. A
 * subspace without a row doesn't compile, nor does a row that leaves one of the answers out.
 */
import { tenantEnd } from '../../storage/store/key.js';
import { keyspace } from '../../storage/store/keyspace.js';
import type {
  Derivation,
  Erased,
  Exported,
  FamilyFacts,
  FamilyName,
  LineName,
  NotExported,
  Owner,
} from './family-facts.js';

type Counting = 'counted' | 'uncounted';
type Others = Pick<FamilyFacts, 'derived' | 'subjectAt'>;

const row = (
  owner: Owner,
  exported: Exported,
  erased: Erased,
  counting: Counting,
  others: Others = {},
): FamilyFacts => ({ owner, exported, erased, counted: counting === 'counted', ...others });

const line = (name: LineName): Exported => ({ line: name });
const partOf = (name: LineName): Exported => ({ partOf: name });
const not = (why: NotExported): Exported => ({ not: why });

/** An index of a family, or with one entry for each of its entries. */
const indexOf = (source: FamilyName): Derivation => ({ source, isOneEach: false });
const oneFor = (source: FamilyName): Derivation => ({ source, isOneEach: true });

/** Working state, which may differ between stores with the same content. */
const working = { derived: { source: null, isOneEach: false } } as const;

/** Returns the row of a family that an import, or an erasure of its source, derives. */
const derived = (owner: Owner, from: Derivation, erased: Erased = 'derived'): FamilyFacts =>
  row(owner, 'derived', erased, 'uncounted', { derived: from });

/** Every family. */
export const familyFacts: Readonly<Record<FamilyName, FamilyFacts>> = {
  epoch: row('installation', not('working'), 'kept', 'uncounted', working),
  tenants: row('named_tenant', not('authority'), 'removed', 'counted'),
  credentialLocators: derived('value', oneFor('credentials')),
  credentials: row('credential', not('authority'), 'removed', 'counted'),
  credentialEvents: row('credential', not('authority'), 'removed', 'uncounted'),
  namespaces: row('scope', line('scope'), 'removed', 'uncounted'),
  memoryRecords: row('scope', line('record'), 'removed', 'uncounted'),
  memoryScan: row('scope', 'derived', 'derived', 'counted', { derived: oneFor('memoryRecords') }),
  memoryReceipts: row('scope', not('receipt'), 'digested', 'counted', { subjectAt: 1 }),
  auditHeads: row('named_tenant', not('audit'), 'kept', 'counted'),
  auditBlocks: row('tenant', not('audit'), 'pseudonym', 'uncounted'),
  auditPostings: row('tenant', not('audit'), 'pseudonym', 'uncounted', {
    derived: indexOf('auditBlocks'),
  }),
  idFloor: row('installation', not('working'), 'kept', 'uncounted', working),
  accounts: row('account', not('authority'), 'removed', 'counted'),
  accountPasswords: row('account', not('secret'), 'removed', 'uncounted'),
  accountLocators: derived('account', oneFor('accounts')),
  accountNames: derived('value', oneFor('accounts'), 'digested'),
  accountEmails: derived('value', indexOf('accounts')),
  accountEvents: row('account', not('authority'), 'removed', 'uncounted'),
  sessions: row('account', not('secret'), 'removed', 'counted'),
  revokedTokens: row('account', not('secret'), 'expires', 'uncounted'),
  revocationExpiries: derived('value', oneFor('revokedTokens'), 'expires'),
  signingKeys: row('installation', not('secret'), 'kept', 'uncounted'),
  apiKeys: row('account', not('secret'), 'removed', 'uncounted'),
  apiKeyDigests: derived('value', oneFor('apiKeys')),
  lockouts: row('value', not('working'), 'removed', 'uncounted'),
  lockoutTimes: row('value', not('working'), 'derived', 'uncounted', {
    derived: indexOf('lockouts'),
  }),
  lockedNames: row('value', not('working'), 'derived', 'uncounted', {
    derived: indexOf('lockouts'),
  }),
  unknownNames: row('installation', not('working'), 'kept', 'uncounted', {
    derived: indexOf('lockouts'),
  }),
  rateLimitPolicies: row('installation', not('authority'), 'kept', 'uncounted'),
  markers: row('installation', not('working'), 'kept', 'uncounted'),
  tallies: row('installation', not('working'), 'kept', 'uncounted', working),
  superAdmins: derived('account', indexOf('accounts')),
  administrators: derived('value', indexOf('accounts')),
  globalCredentials: row('credential', not('authority'), 'kept', 'counted'),
  globalCredentialEvents: row('credential', not('authority'), 'kept', 'uncounted'),
  tenantDirectory: derived('value', oneFor('tenants')),
  accountDirectory: derived('value', oneFor('accounts')),
  tallySlots: row('installation', not('working'), 'kept', 'uncounted', working),
  programCredentials: row('subject', not('authority'), 'removed', 'uncounted'),
  learningPolicies: row('tenant', line('policy'), 'kept', 'uncounted'),
  learningContexts: row('tenant', line('context'), 'kept', 'uncounted'),
  learningSelection: derived('scope', indexOf('learningProcedures')),
  learningProposals: row('scope', line('procedure'), 'removed', 'uncounted'),
  learningProcedures: row('scope', line('procedure_state'), 'removed', 'uncounted'),
  learningAdmissions: row('scope', line('evaluation'), 'removed', 'uncounted'),
  learningEvidence: derived('scope', indexOf('learningAdmissions')),
  learningFamilies: row('scope', line('candidate'), 'derived', 'uncounted', {
    derived: indexOf('learningProcedures'),
  }),
  subjects: row('subject', not('authority'), 'removed', 'uncounted'),
  keyRequirements: row('tenant', not('authority'), 'kept', 'uncounted'),
  toolExecutors: row('tenant', line('executor'), 'kept', 'uncounted'),
  toolArtifacts: row('scope', line('artifact'), 'removed', 'uncounted'),
  toolDevelopments: row('scope', line('development'), 'removed', 'uncounted'),
  toolDevelopmentEvents: row('scope', line('development_event'), 'removed', 'uncounted'),
  trustedIssuers: row('tenant', not('authority'), 'kept', 'uncounted'),
  experiences: row('scope', line('attempt'), 'removed', 'uncounted'),
  experienceEvents: row('scope', line('attempt_event'), 'removed', 'uncounted'),
  revocationCounts: derived('account', indexOf('revokedTokens'), 'expires'),
  storageQuotas: row('named_tenant', not('authority'), 'kept', 'uncounted'),
  memoryNames: derived('scope', indexOf('memoryRecords')),
  memoryBatchReceipts: row('subject', not('receipt'), 'digested', 'counted'),
  memoryRevisions: row('scope', line('revision'), 'removed', 'uncounted'),
  memoryChanges: row('value', not('working'), 'digested', 'uncounted'),
  memoryChangeFloors: row('tenant', not('working'), 'kept', 'uncounted'),
  memoryRetention: row('scope', not('authority'), 'removed', 'uncounted'),
  memoryPurges: row('value', not('working'), 'removed', 'uncounted', working),
  memorySweeps: row('tenant', not('working'), 'kept', 'uncounted', working),
  embeddingSpaces: row('scope', line('embedding_spaces'), 'removed', 'uncounted'),
  memoryBranches: row('tenant', line('branch'), 'removed', 'uncounted', working),
  memoryProposals: row('value', not('working'), 'removed', 'uncounted', working),
  memoryProposalOrder: row('value', not('working'), 'removed', 'uncounted', working),
  memoryProposalCounts: row('scope', not('working'), 'removed', 'uncounted', working),
  memoryBranchSpaces: row('value', not('working'), 'removed', 'uncounted', working),
  memoryBranchHolds: row('scope', not('working'), 'removed', 'uncounted', working),
  memoryBranchHeads: row('value', not('working'), 'removed', 'uncounted', working),
  memoryBranchMerged: row('value', partOf('record'), 'removed', 'uncounted', working),
  memoryBranchMerges: row('value', not('receipt'), 'removed', 'uncounted', working),
  memoryEndedBranches: row('tenant', not('working'), 'expires', 'uncounted', working),
  memoryRemovals: row('scope', not('working'), 'removed', 'uncounted', working),
  webhooks: row('webhook', not('authority'), 'removed', 'uncounted'),
  webhookDeliveries: row('webhook', not('working'), 'removed', 'uncounted'),
  webhookDeadLetters: row('webhook', not('working'), 'removed', 'uncounted'),
  webhookTenants: derived('named_tenant', indexOf('webhooks')),
  connections: row('account', not('authority'), 'removed', 'uncounted'),
  grantEntries: row('value', not('secret'), 'expires', 'uncounted'),
  grantExpiries: derived('value', oneFor('grantEntries'), 'expires'),
  grantSlots: derived('value', indexOf('grantEntries'), 'expires'),
  signInSettings: row('tenant', not('secret'), 'kept', 'uncounted'),
  signInLinks: derived('value', indexOf('accounts')),
  signInSessions: derived('value', indexOf('sessions')),
  signInUses: row('value', not('working'), 'expires', 'uncounted'),
  memorySources: row('scope', partOf('record'), 'removed', 'uncounted'),
  memoryDependents: derived('scope', indexOf('memorySources')),
  memoryRedactedSources: row('scope', line('redacted_source'), 'removed', 'uncounted'),
  memoryTraces: row('scope', not('working'), 'removed', 'uncounted', working),
  memoryTraced: row('scope', not('working'), 'removed', 'uncounted', working),
  erasures: row('tenant', not('working'), 'kept', 'uncounted'),
  runningErasures: derived('named_tenant', indexOf('erasures')),
  erasureMarks: row('scope', not('working'), 'removed', 'uncounted'),
  auditSeams: row('tenant', not('working'), 'kept', 'uncounted', working),
  erasedReceiptKeys: row('tenant', not('secret'), 'kept', 'uncounted'),
  erasedReceipts: row('tenant', not('receipt'), 'kept', 'uncounted'),
  erasedSubjectKeys: row('tenant', not('secret'), 'kept', 'uncounted'),
  erasedSubjects: row('tenant', not('authority'), 'kept', 'uncounted'),
  memoryConsumers: row('subject', not('working'), 'removed', 'uncounted'),
  sealing: row('installation', not('working'), 'kept', 'uncounted', working),
  sealedTenants: row('value', not('working'), 'removed', 'uncounted'),
};

/** All names, in the order of the key space. */
export const familyNames = Object.keys(keyspace) as FamilyName[];

const nameOfNumber = new Map<number, FamilyName>(
  familyNames.map((name) => [keyspace[name].number, name]),
);

/** Returns the family of a key, or `undefined` if its subspace is unknown. */
export function familyOfKey(key: Uint8Array): FamilyName | undefined {
  const end = tenantEnd(key);
  const number = end === -1 ? undefined : key[end + 1];
  return number === undefined ? undefined : nameOfNumber.get(number);
}
