/** What the table of families states of each: whose its entries are, and how they are treated. */
import type { keyspace } from '../../storage/store/keyspace.js';

/** Name of a subspace. Reports call a subspace a family. */
export type FamilyName = keyof typeof keyspace;

/**
 * Whose the entries of a family are. That decides which of them an export, an erasure or a listing
 * of a scope, of a subject or of a tenant reaches.
 *
 * - `installation`: the tenant part of keys is empty, and no entry is about a tenant.
 * - `named_tenant`: the tenant part of keys is empty, and the first part is the id of a tenant.
 * - `tenant`: a tenant, or the installation where people have accounts of it; no one in particular.
 * - `scope`: keys begin with the digest of a namespace. A private one belongs to its subject.
 * - `subject`: keys begin with the id of a subject.
 * - `account`: keys begin with the id of an account.
 * - `credential`: keys begin with the id of a credential, whose state names its subject.
 * - `webhook`: keys begin with the id of a webhook, whose state names its owner.
 * - `value`: only the value says who it is about, or another family does.
 */
export type Owner =
  | 'installation'
  | 'named_tenant'
  | 'tenant'
  | 'scope'
  | 'subject'
  | 'account'
  | 'credential'
  | 'webhook'
  | 'value';

/** Why a family has no line in exports. */
export type NotExported =
  /** It proves somebody, or opens something. */
  | 'secret'
  /** It says who may do what at this installation, or what this installation keeps. */
  | 'authority'
  /** It makes repetitions of calls safe here, and says nothing else. */
  | 'receipt'
  /** It is working state: a position, a lease, a queue, a count. */
  | 'working'
  /** It is the audit log, which has exports of its own and stays where it was written. */
  | 'audit';

/** The lines of exports, by the member `line` that each has. */
export const lineNames = [
  'scope',
  'branch',
  'record',
  'revision',
  'redacted_source',
  'embedding_spaces',
  'policy',
  'context',
  'procedure',
  'procedure_state',
  'candidate',
  'evaluation',
  'executor',
  'artifact',
  'development',
  'development_event',
  'attempt',
  'attempt_event',
] as const;

/** The name of a kind of line. */
export type LineName = (typeof lineNames)[number];

/**
 * How a family is exported: in lines of its own, as members of those of another family, not at all,
 * or not, because an import derives its entries from those of its source.
 */
export type Exported =
  | { readonly line: LineName }
  | { readonly partOf: LineName }
  | { readonly not: NotExported }
  | 'derived';

/**
 * What an erasure of its owner does with an entry.
 *
 * - `removed`: it goes.
 * - `derived`: it goes with the entry of the source that it is derived from.
 * - `digested`: it stays as long as a repetition of its call must be safe, with keyed digests only.
 * - `pseudonym`: it stays; a keyed pseudonym replaces the name of who was erased.
 * - `expires`: it ends by itself soon, and says nothing about anyone by then.
 * - `kept`: nothing in it is about a scope or a subject. It goes with its tenant, if it has one.
 */
export type Erased = 'removed' | 'derived' | 'digested' | 'pseudonym' | 'expires' | 'kept';

/** How a family is derived from another. */
export interface Derivation {
  /** Null for working state, which may differ between stores with the same content. */
  readonly source: FamilyName | null;
  /** Whether it has exactly one entry for each entry of its source. */
  readonly isOneEach: boolean;
}

/** What is stated of a family. */
export interface FamilyFacts {
  readonly owner: Owner;
  /** Which part of its keys, behind the first, is the id of a subject. */
  readonly subjectAt?: number;
  readonly exported: Exported;
  readonly erased: Erased;
  /** Whether the numbers of entries count it; see `counted-families.ts`. */
  readonly counted: boolean;
  /** Present if it only indexes another family, or is working state. */
  readonly derived?: Derivation;
}
