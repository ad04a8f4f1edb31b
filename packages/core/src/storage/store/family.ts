/**
 * Families: kinds of entries, each with a part of the key space of its own. What holds for a family
 * is stated once, where its owner defines it: exports, erasures, sealing, counts and checks follow.
 */
import type { KeyShape } from './key.js';
import type { Entry } from './store.js';
import { type Remembered, Subspace } from './subspace.js';
import type { ValueLayout } from './value.js';

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
  | 'value';

/**
 * Whose key seals a value: the owner of the namespace whose digest the key begins with, the subject
 * that the key begins with, or the tenant.
 */
export type SealedBy = 'namespace' | 'subject' | 'tenant';

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

/**
 * How a family is exported: in lines of its own, as members of those of another family, not at all,
 * or not, because an import derives its entries from those of its source. Lines are named by their
 * member `line`.
 */
export type Exported =
  | { readonly line: string }
  | { readonly partOf: string }
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

/** What an entry adds to the numbers of entries. */
export interface Counted {
  /** A name of `kernel/counts/`. */
  readonly name: string;
  readonly by: number;
}

/** Returns what an entry adds to the numbers of entries, if anything. */
export type CountEntry = (entry: Entry) => Counted | undefined;

/** How a family is derived from another. */
export interface Derivation {
  /** Name of the other; null for working state, which may differ between equal stores. */
  readonly source: string | null;
  /** Whether it has exactly one entry for each entry of its source. */
  readonly isOneEach: boolean;
}

/** What has a name of a family. */
interface Named {
  readonly name: string;
}

/** States that a family is an index of another. */
export const indexOf = ({ name }: Named): Derivation => ({ source: name, isOneEach: false });

/** States that a family has one entry for each entry of another. */
export const oneFor = ({ name }: Named): Derivation => ({ source: name, isOneEach: true });

/** States that a family is working state, which may differ between stores with equal content. */
export const working: Derivation = { source: null, isOneEach: false };

/** The names of a person in a value, and the credential that the person acts with, if any. */
export interface NamedPerson {
  readonly credentialId: string | null;
  readonly names: readonly string[];
}

/**
 * What the search for traces of the erased has to know of a family. Erasures don't read it, so that
 * an erasure and its check rest on statements of their own.
 */
export interface TraceFacts {
  /** Whether its keys may have the digest of a scope that has no stored namespace. */
  readonly mayLackNamespace?: true;
  /**
   * Whose an entry is that names a subject: of others, so that it stays, or of those whom this
   * finds in its value. Default: that of others if it is of a scope.
   */
  readonly isOf?: 'others' | ((value: never) => readonly unknown[]);
  /** Returns the subject that the credential in a value acts as. */
  readonly subjectOf?: (value: never) => string;
  /** Returns the names of the person in a value. */
  readonly personIn?: (value: never) => NamedPerson;
}

/** What is stated of a family besides its entries. */
export interface FamilyFacts {
  /** By whose key its values are sealed; null for ids, digests, times and numbers only. */
  readonly sealedBy: SealedBy | null;
  /** The text parts of a sealed key that are stored as keyed digests. They are never listed. */
  readonly digests?: readonly number[];
  readonly owner: Owner;
  /** Returns the id of the account in a value that an erasure of the account removes. */
  readonly accountIn?: (value: never) => string;
  /** Which part of its keys, behind the first, is the id of a subject. */
  readonly subjectAt?: number;
  readonly exported: Exported;
  readonly erased: Erased;
  /** What each of its entries adds to the numbers of entries; null if they don't count it. */
  readonly counts: CountEntry | null;
  /** Present if it only indexes another family, or is working state. */
  readonly derived?: Derivation;
  /** Absent if its owner and its keys tell all that the search for traces has to know. */
  readonly traces?: TraceFacts;
}

/** Everything that its owner states of a family. */
export interface FamilyStatement<N extends string, S extends KeyShape, W, R>
  extends FamilyFacts, Remembered<R> {
  readonly name: N;
  /** Its place in the key space: part of the stored format, and never used again. */
  readonly number: number;
  /** The parts of its keys behind the tenant, or {@link INSTALLATION}. */
  readonly key: S;
  readonly layout: ValueLayout<W, R>;
}

/** A family, with typed access to its entries. */
export class Family<N extends string, const S extends KeyShape, W, R = W> extends Subspace<
  S,
  W,
  R
> {
  readonly name: N;
  readonly number: number;
  readonly shape: S;
  readonly facts: FamilyFacts;

  constructor(stated: FamilyStatement<N, S, W, R>) {
    super({ number: stated.number, shape: stated.key }, stated.layout, stated);
    this.name = stated.name;
    this.number = stated.number;
    this.shape = stated.key;
    this.facts = stated;
  }
}

/** Defines a family. Its domain lists the module that exports it. */
export function defineFamily<const N extends string, const S extends KeyShape, W, R = W>(
  stated: FamilyStatement<N, S, W, R>,
): Family<N, S, W, R> {
  return new Family(stated);
}

/** A family in a list: what holds for entries of any type. */
export interface ListedFamily<N extends string> {
  readonly name: N;
  readonly number: number;
  readonly shape: KeyShape;
  readonly facts: FamilyFacts;
  /**
   * Decodes a value.
   * @throws {AgentkeepError} `storage_inconsistency`
   */
  open(key: Uint8Array, sealed: Uint8Array): unknown;
  /** Encodes a value. Both it and the parts of its key are of the types of the family. */
  seal(value: never, tenant: string, ...parts: never[]): Entry;
}
