/**
 * Every subspace of the store with its number and the shape of its keys. Numbers are part of the
 * stored format: they are never reused. Keys start with the tenant, so that all that a tenant owns
 * is one range; what belongs to no tenant lies under {@link INSTALLATION}.
 * @module
 */
import type { KeyShape } from './key.js';

/** The place of one subspace in the key space. */
export interface SubspaceKey<S extends KeyShape> {
  readonly number: number;
  readonly shape: S;
}

/** Tenant part of the keys that belong to the installation; no tenant has an empty id. */
export const INSTALLATION = '';

const subspaceKey = <const S extends KeyShape>(number: number, ...shape: S): SubspaceKey<S> => ({
  number,
  shape,
});

/** The key space. Number 0 is left to the stores themselves. */
export const keyspace = {
  /** Installation: one entry a tenant, by tenant id. */
  tenants: subspaceKey(1, 'text'),
  /** Installation: which tenant a credential id belongs to. */
  credentialLocators: subspaceKey(2, 'uuid'),
  /** Current state of a credential, by id. */
  credentials: subspaceKey(3, 'uuid'),
  /** History of a credential, by id and revision. */
  credentialEvents: subspaceKey(4, 'uuid', 'integer'),
  /** The readable scope behind a namespace digest. */
  namespaces: subspaceKey(5, 'digest'),
  /** Memory records and tombstones, by namespace and record id. */
  memoryRecords: subspaceKey(6, 'digest', 'uuid'),
  /** What a query examines of a record: folded text, type, tags, expiry; same keys. */
  memoryScan: subspaceKey(7, 'digest', 'uuid'),
  /** Receipts of memory commands, by namespace, subject and idempotency key. */
  memoryReceipts: subspaceKey(8, 'digest', 'text', 'text'),
  /** Installation: where the audit chain of an authority stands, by tenant id. */
  auditHeads: subspaceKey(9, 'text'),
  /** Audit events in blocks, by the sequence number and the id of the first event of a block. */
  auditBlocks: subspaceKey(10, 'integer', 'uuid'),
  /** Which blocks hold a value of an indexed member: member, value, first number of the block. */
  auditPostings: subspaceKey(11, 'text', 'text', 'integer'),
  /** Installation: a time that no id has reached yet. */
  idFloor: subspaceKey(12),
  /** Current state of an account, by id. */
  accounts: subspaceKey(13, 'uuid'),
  /** What is stored in place of an account's password, by account id. */
  accountPasswords: subspaceKey(14, 'uuid'),
  /** Installation: which authority an account id belongs to. */
  accountLocators: subspaceKey(15, 'uuid'),
  /** Which account has a username; the name stays taken when the account is gone. */
  accountNames: subspaceKey(16, 'text'),
  /** Which account has an e-mail address, by the address with ASCII letters folded. */
  accountEmails: subspaceKey(17, 'text'),
  /** History of an account, by id and revision. */
  accountEvents: subspaceKey(18, 'uuid', 'integer'),
  /** Sessions, by account id and session id. */
  sessions: subspaceKey(19, 'uuid', 'uuid'),
  /** Installation: a token that was revoked, by account and token id. */
  revokedTokens: subspaceKey(20, 'uuid', 'uuid'),
  /** Installation: the same by the time at which the token expires, account and token id. */
  revocationExpiries: subspaceKey(21, 'integer', 'uuid', 'uuid'),
  /** Installation: the key pair that signs tokens, by its thumbprint. */
  signingKeys: subspaceKey(22, 'text'),
  /** API keys, by account and key id. */
  apiKeys: subspaceKey(23, 'uuid', 'uuid'),
  /** Installation: where the API key with a digest lies. */
  apiKeyDigests: subspaceKey(24, 'digest'),
  /** Failed logins and locks of a name, by username; of names without an account too. */
  lockouts: subspaceKey(25, 'text'),
  /** Installation: when something is due for a name: what, Unix milliseconds, tenant, username. */
  lockoutTimes: subspaceKey(26, 'integer', 'integer', 'text', 'text'),
  /** The locked names, by username. */
  lockedNames: subspaceKey(27, 'text'),
  /** Installation: how many names without an account are remembered. */
  unknownNames: subspaceKey(28),
  /** Installation: rate limit policies, by id. */
  rateLimitPolicies: subspaceKey(29, 'uuid'),
  /** Installation: small values that it remembers about itself, by name. */
  markers: subspaceKey(30, 'text'),
  /** Installation: numbers of entries by what they count, and how far they go. */
  tallies: subspaceKey(31, 'text'),
  /** The active accounts with the role SuperAdmin, by id. */
  superAdmins: subspaceKey(32, 'uuid'),
  /** Installation: current state of a credential of its own, by id. */
  globalCredentials: subspaceKey(33, 'uuid'),
  /** Installation: history of such a credential, by id and revision. */
  globalCredentialEvents: subspaceKey(34, 'uuid', 'integer'),
  /** Installation: tenants in the order of the directory, by JSON-encoded tenant id. */
  tenantDirectory: subspaceKey(35, 'text'),
  /** Accounts in the order of the directory, by JSON-encoded username. */
  accountDirectory: subspaceKey(36, 'text'),
  /** Installation: what several servers have added to the numbers of entries, by slot. */
  tallySlots: subspaceKey(37, 'integer'),
  /** Which credential an embedding program acts with for a subject, by subject. */
  programCredentials: subspaceKey(38, 'text'),
  /** Learning policies, by id. */
  learningPolicies: subspaceKey(40, 'text'),
  /** Evaluation contexts, by id. */
  learningContexts: subspaceKey(41, 'text'),
  /** Active procedures: namespace, policy and context, class of size, negated bound, id. */
  learningSelection: subspaceKey(42, 'digest', 'digest', 'integer', 'number', 'text'),
  /** What a procedure was proposed as, by namespace and id. */
  learningProposals: subspaceKey(43, 'digest', 'text'),
  /** Where a procedure stands, by namespace and id. */
  learningProcedures: subspaceKey(44, 'digest', 'text'),
  /** Evaluations of a procedure: namespace, digest of the procedure's id, case. */
  learningAdmissions: subspaceKey(45, 'digest', 'digest', 'text'),
  /** Evidence that counted: namespace, digests of the procedure's id and of the reference. */
  learningEvidence: subspaceKey(46, 'digest', 'digest', 'digest'),
  /** Executors of tools, by id. */
  toolExecutors: subspaceKey(50, 'text'),
  /** Artifacts, by namespace and id. */
  toolArtifacts: subspaceKey(51, 'digest', 'text'),
  /** Where developments stand, by namespace and request id. */
  toolDevelopments: subspaceKey(52, 'digest', 'text'),
  /** Events of a development: namespace, SHA-256 of the request id, event id. */
  toolDevelopmentEvents: subspaceKey(53, 'digest', 'digest', 'text'),
  /** Where attempts stand, by namespace and attempt id. */
  experiences: subspaceKey(55, 'digest', 'text'),
  /** Events of an attempt: namespace, SHA-256 of its id, bytes of the event id, event id. */
  experienceEvents: subspaceKey(56, 'digest', 'digest', 'integer', 'text'),
} as const;
