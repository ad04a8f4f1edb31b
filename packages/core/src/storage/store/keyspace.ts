/**
 * Every subspace of the store, with its number and the shape of its keys. Numbers are part of the
 * stored format and never reused. Keys start with the tenant, so all data of a tenant is one range.
 * Data that belongs to no tenant is under {@link INSTALLATION}.
 */
import type { KeyShape } from './key.js';

/** The part of the key space that one subspace has. */
export interface SubspaceKey<S extends KeyShape> {
  readonly number: number;
  readonly shape: S;
}

/** The tenant part of keys that belong to the installation. No tenant has an empty id. */
export const INSTALLATION = '';

const subspaceKey = <const S extends KeyShape>(number: number, ...shape: S): SubspaceKey<S> => ({
  number,
  shape,
});

const tracedShape = [
  ...(['digest', 'uuid', 'integer', 'integer', 'integer'] as const),
  ...(['digest', 'uuid', 'integer'] as const),
] as const;

/** The key space. Number 0 belongs to the stores themselves. */
export const keyspace = {
  /** Installation: the epoch of positions. Only stores write it. */
  epoch: subspaceKey(0),
  /** Installation: one entry per tenant, by tenant id. */
  tenants: subspaceKey(1, 'text'),
  /** Installation: the tenant of a credential, by credential id. */
  credentialLocators: subspaceKey(2, 'uuid'),
  /** Current state of a credential, by id. */
  credentials: subspaceKey(3, 'uuid'),
  /** History of a credential, by id and revision. */
  credentialEvents: subspaceKey(4, 'uuid', 'integer'),
  /** The readable scope behind a namespace digest. */
  namespaces: subspaceKey(5, 'digest'),
  /** Memory records and tombstones, by namespace and record id. */
  memoryRecords: subspaceKey(6, 'digest', 'uuid'),
  /** Search entries of records: folded text, type, tags, expiry; same keys. */
  memoryScan: subspaceKey(7, 'digest', 'uuid'),
  /** Receipts of memory commands, by namespace, subject and idempotency key. */
  memoryReceipts: subspaceKey(8, 'digest', 'text', 'text'),
  /** Installation: the head of an authority's audit chains, by tenant id. */
  auditHeads: subspaceKey(9, 'text'),
  /** Audit events in blocks, by the sequence number and the id of the first event of a block. */
  auditBlocks: subspaceKey(10, 'integer', 'uuid'),
  /** Blocks by the values of an indexed member, or by quota: member, value, number of the block. */
  auditPostings: subspaceKey(11, 'text', 'text', 'integer'),
  /** Installation: a time later than that of any id made so far. */
  idFloor: subspaceKey(12),
  /** Current state of an account, by id. */
  accounts: subspaceKey(13, 'uuid'),
  /** Password hash of an account, by account id. */
  accountPasswords: subspaceKey(14, 'uuid'),
  /** Installation: the authority of an account, by account id. */
  accountLocators: subspaceKey(15, 'uuid'),
  /** The account with a username. The name stays taken after the account is deleted. */
  accountNames: subspaceKey(16, 'text'),
  /** The account with an e-mail address, by the address with ASCII letters folded. */
  accountEmails: subspaceKey(17, 'text'),
  /** History of an account, by id and revision. */
  accountEvents: subspaceKey(18, 'uuid', 'integer'),
  /** Sessions, by account id and session id. */
  sessions: subspaceKey(19, 'uuid', 'uuid'),
  /** Installation: revoked tokens, by account and token id. */
  revokedTokens: subspaceKey(20, 'uuid', 'uuid'),
  /** Installation: the same, by expiry of the token, account and token id. */
  revocationExpiries: subspaceKey(21, 'integer', 'uuid', 'uuid'),
  /** Installation: the key pair that signs tokens, by thumbprint. */
  signingKeys: subspaceKey(22, 'text'),
  /** API keys, by account and key id. */
  apiKeys: subspaceKey(23, 'uuid', 'uuid'),
  /** Installation: the locator of an API key, by its digest. */
  apiKeyDigests: subspaceKey(24, 'digest'),
  /** Failed logins and locks by username, including names without an account. */
  lockouts: subspaceKey(25, 'text'),
  /** Installation: due times of lockouts: kind, Unix milliseconds, tenant, username. */
  lockoutTimes: subspaceKey(26, 'integer', 'integer', 'text', 'text'),
  /** Locked names, by username. */
  lockedNames: subspaceKey(27, 'text'),
  /** Installation: number of stored names without an account. */
  unknownNames: subspaceKey(28),
  /** Installation: rate limit policies, by id. */
  rateLimitPolicies: subspaceKey(29, 'uuid'),
  /** Installation: small values about the installation itself, by name. */
  markers: subspaceKey(30, 'text'),
  /** Installation: numbers of entries by count name, and how far the count has got. */
  tallies: subspaceKey(31, 'text'),
  /** Active accounts with the role SuperAdmin, by id. */
  superAdmins: subspaceKey(32, 'uuid'),
  /** Installation: current state of an installation credential, by id. */
  globalCredentials: subspaceKey(33, 'uuid'),
  /** Installation: history of an installation credential, by id and revision. */
  globalCredentialEvents: subspaceKey(34, 'uuid', 'integer'),
  /** Installation: tenants in directory order, by JSON-encoded tenant id. */
  tenantDirectory: subspaceKey(35, 'text'),
  /** Accounts in directory order, by JSON-encoded username. */
  accountDirectory: subspaceKey(36, 'text'),
  /** Installation: additions of several servers to the numbers of entries, by slot. */
  tallySlots: subspaceKey(37, 'integer'),
  /** Which credential an embedding program acts with for a subject, by subject. */
  programCredentials: subspaceKey(38, 'text'),
  /** Learning policies, by id. */
  learningPolicies: subspaceKey(40, 'text'),
  /** Evaluation contexts, by id. */
  learningContexts: subspaceKey(41, 'text'),
  /** Active procedures: namespace, digest of policy and context, size class, negated bound, id. */
  learningSelection: subspaceKey(42, 'digest', 'digest', 'integer', 'number', 'text'),
  /** Proposals of procedures, by namespace and id. */
  learningProposals: subspaceKey(43, 'digest', 'text'),
  /** Current state of a procedure, by namespace and id. */
  learningProcedures: subspaceKey(44, 'digest', 'text'),
  /** Evaluations of a procedure: namespace, digest of the procedure's id, case. */
  learningAdmissions: subspaceKey(45, 'digest', 'digest', 'text'),
  /** Evidence that counted: namespace, digests of the procedure's id and of the reference. */
  learningEvidence: subspaceKey(46, 'digest', 'digest', 'digest'),
  /** Candidates that are admitted together: namespace, digest of policy and context, id. */
  learningFamilies: subspaceKey(47, 'digest', 'digest', 'text'),
  /** What administrators said of a subject, by subject id. */
  subjects: subspaceKey(48, 'text'),
  /** How the credentials of a tenant prove themselves. */
  keyRequirements: subspaceKey(49),
  /** Executors of tools, by id. */
  toolExecutors: subspaceKey(50, 'text'),
  /** Artifacts, by namespace and id. */
  toolArtifacts: subspaceKey(51, 'digest', 'text'),
  /** Current state of a development, by namespace and request id. */
  toolDevelopments: subspaceKey(52, 'digest', 'text'),
  /** Events of a development: namespace, SHA-256 of the request id, event id. */
  toolDevelopmentEvents: subspaceKey(53, 'digest', 'digest', 'text'),
  /** Issuers that a tenant trusts, by their names in the tenant. */
  trustedIssuers: subspaceKey(57, 'text'),
  /** Current state of an attempt, by namespace and attempt id. */
  experiences: subspaceKey(55, 'digest', 'text'),
  /** Events of an attempt: namespace, SHA-256 of its id, bytes of the event id, event id. */
  experienceEvents: subspaceKey(56, 'digest', 'digest', 'integer', 'text'),
  /** Installation: accounts whose ended API keys are still stored: authority, account id. */
  /** Installation: number of stored revoked tokens of an account, by account id. */
  revocationCounts: subspaceKey(61, 'uuid'),
  /** Installation: the storage quota of a tenant and what it uses, by tenant id. */
  storageQuotas: subspaceKey(62, 'text'),
  /** Records that have a name and are not deleted, by namespace and name. */
  memoryNames: subspaceKey(63, 'digest', 'text'),
  /** Receipts of memory batches, by subject and idempotency key. */
  memoryBatchReceipts: subspaceKey(64, 'text', 'text'),
  /** Superseded revisions of memory records, by namespace, record id and revision. */
  memoryRevisions: subspaceKey(65, 'digest', 'uuid', 'integer'),
  /** Changes of memory, by the position that the store gives them. */
  memoryChanges: subspaceKey(66),
  /** How far the changes of a tenant were removed. */
  memoryChangeFloors: subspaceKey(67),
  /** Retention of a tenant's memory, by scope digest; that of the tenant under 32 zero bytes. */
  memoryRetention: subspaceKey(76, 'digest'),
  /**
   * Records whose revisions are due for removal: when, in Unix milliseconds, namespace, record id.
   */
  memoryPurges: subspaceKey(77, 'integer', 'digest', 'uuid'),
  /** How far a sweep through the memory of the tenant has got. */
  memorySweeps: subspaceKey(78),
  /** Embedding spaces of a scope, by namespace. */
  embeddingSpaces: subspaceKey(79, 'digest'),
  /** Branches of memory, by id. */
  memoryBranches: subspaceKey(84, 'uuid'),
  /** Namespaces that a branch has written to, by its id and namespace. */
  memoryBranchSpaces: subspaceKey(85, 'uuid', 'digest'),
  /** Until when superseded revisions are held for branches, by scope. */
  memoryBranchHolds: subspaceKey(86, 'digest'),
  /** The digest of what was written in a branch, by its id. */
  memoryBranchHeads: subspaceKey(87, 'uuid'),
  /** Which revision outside a record of a branch was copied from or merged into, by branch. */
  memoryBranchMerged: subspaceKey(88, 'uuid', 'digest', 'uuid'),
  /** How often a sweep removed records of a namespace. */
  memoryRemovals: subspaceKey(99, 'digest'),
  /** Merges by branch, and digest of subject and idempotency key. */
  memoryBranchMerges: subspaceKey(89, 'uuid', 'digest'),
  /** Proposals, by the id of their branch. */
  memoryProposals: subspaceKey(96, 'uuid'),
  /** Proposals by state, when they came to it in Unix milliseconds, id. */
  memoryProposalOrder: subspaceKey(97, 'integer', 'integer', 'uuid'),
  /** How many proposals wait over a scope, by its digest; in the tenant under 32 zero bytes. */
  memoryProposalCounts: subspaceKey(98, 'digest'),
  /** Branches that ended before their time, by id. */
  memoryEndedBranches: subspaceKey(105, 'uuid'),
  /** Webhooks, by id. */
  webhooks: subspaceKey(80, 'uuid'),
  /** How far a webhook has delivered, and who delivers it, by id of the webhook. */
  webhookDeliveries: subspaceKey(81, 'uuid'),
  /** Changes that a webhook gave up, by id of the webhook and of the dead letter. */
  webhookDeadLetters: subspaceKey(82, 'uuid', 'uuid'),
  /** Installation: tenants that have webhooks. */
  webhookTenants: subspaceKey(83, 'text'),
  /** Programs that an account connected, by account and id of their credential. */
  connections: subspaceKey(58, 'uuid', 'uuid'),
  /** Installation: requests and approvals of OAuth, by SHA-256 of kind and id. */
  grantEntries: subspaceKey(59, 'digest'),
  /** Installation: the same, by expiry. */
  grantExpiries: subspaceKey(68, 'integer', 'digest'),
  /** Installation: those that wait, by the digest of whose they are and in order. */
  grantSlots: subspaceKey(69, 'digest', 'integer'),
  /** How the people of an authority sign in. */
  signInSettings: subspaceKey(100),
  /** The account that an issuer vouches for, by the digest of issuer and `sub`. */
  signInLinks: subspaceKey(101, 'digest'),
  /** Sessions by the digest of issuer and `sid`: account id, session id. */
  signInSessions: subspaceKey(102, 'digest', 'uuid', 'uuid'),
  /** What issuers said that counts once: when it ends, in Unix milliseconds, its digest. */
  signInUses: subspaceKey(103, 'integer', 'digest'),
  /** Accounts with rights over others: the credential that they act with, or an empty text; id. */
  administrators: subspaceKey(104, 'text', 'uuid'),
  /** What revisions were derived from: namespace, record id, revision. */
  memorySources: subspaceKey(90, 'digest', 'uuid', 'integer'),
  /** The same links from the other side: the source, then what was derived from it. */
  memoryDependents: subspaceKey(91, 'digest', 'uuid', 'integer', 'digest', 'uuid', 'integer'),
  /** Sources that were redacted: namespace, record id, revision. */
  memoryRedactedSources: subspaceKey(92, 'digest', 'uuid', 'integer'),
  /** Searches for what was derived from a deleted or redacted revision, by that revision. */
  memoryTraces: subspaceKey(93, 'digest', 'uuid', 'integer'),
  /** What they found: the revision, number of the trace, 0 while it waits, what was derived. */
  memoryTraced: subspaceKey(94, ...tracedShape),
  /** Erasures of a tenant, by id. */
  erasures: subspaceKey(110, 'uuid'),
  /** What is being erased: namespaces and targets, by digest. */
  erasureMarks: subspaceKey(111, 'digest'),
  /** How far names in the audit log of a tenant were replaced, while an erasure does it. */
  auditSeams: subspaceKey(112),
  /** The key of the digests below, which an erasure makes. */
  erasedReceiptKeys: subspaceKey(113),
  /** Commands whose receipts were erased, by keyed digest. */
  erasedReceipts: subspaceKey(114, 'digest'),
  /** Erasures that aren't finished, in the installation: tenant, id. */
  runningErasures: subspaceKey(115, 'text', 'uuid'),
  /** The key of the digests below, which an erasure makes. */
  erasedSubjectKeys: subspaceKey(116),
  /** Erased subjects that were not admitted anew, by keyed digest. */
  erasedSubjects: subspaceKey(117, 'digest'),
  /** Positions in the change feed that subjects keep: subject, name. */
  memoryConsumers: subspaceKey(95, 'text', 'text'),
  /** Installation: which keys the store is sealed with, and how far. */
  sealing: subspaceKey(120),
  /** Installation: the fingerprint of the key of a tenant, by the digest of its id. */
  sealedTenants: subspaceKey(121, 'digest'),
} as const;
