/**
 * The namespace of a scope, and the namespaces of a tenant in the store. A namespace is a digest in
 * keys over the scope and, if private, the subject. Every key starts with the tenant, so even equal
 * digests could not mix tenants. Writes need not look up the namespaces that are known to be
 * stored; only an erasure removes one, which is forgotten before the commit that removes it.
 */
import { BoundedMap } from '../../contract/bounded-map.js';
import { sha256 } from '../../contract/digest.js';
import { keyText } from '../../storage/store/bytes.js';
import { defineFamily } from '../../storage/store/family.js';
import { tupleLayout } from '../../storage/store/fields.js';
import { trailingDigest } from '../../storage/store/key.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';
import type { ActingCredential } from './principal.js';
import type { MemoryScope } from './scope.js';

/** The key prefix of a scope's records, for one credential. */
export interface Namespace {
  readonly tenantId: string;
  /** SHA-256 over {@link Namespace.parts}. */
  readonly digest: Uint8Array;
  /** The readable form: project, mission, agent, visibility, private subject. */
  readonly parts: NamespaceParts;
}

/** The readable form of a namespace outside of branches. */
export type BaseParts = readonly [
  projectId: string,
  missionId: string | null,
  agentId: string,
  visibility: string,
  privateSubjectId: string | null,
];

/** The readable form of a namespace. The id of a branch is absent outside of branches. */
export type NamespaceParts = readonly [...base: BaseParts, branch?: string];

/** Returns the namespace of a scope for a credential. */
export function namespaceOf(credential: ActingCredential, scope: MemoryScope): Namespace {
  const base = basePartsFor(credential, scope);
  const { branch } = scope;
  const parts: NamespaceParts = branch === undefined ? base : [...base, branch.toLowerCase()];
  return namespaceOfParts(credential.tenantId, parts);
}

/** Returns the parts of a scope for a credential, without a branch. */
export function basePartsFor(credential: ActingCredential, scope: MemoryScope): BaseParts {
  const { project_id, mission_id, agent_id, visibility } = scope;
  const subject = visibility === 'private' ? credential.spec.subject_id : null;
  return [project_id, mission_id, agent_id, visibility, subject];
}

/** Returns the namespace of a tenant with a readable form. */
export function namespaceOfParts(tenantId: string, parts: NamespaceParts): Namespace {
  return { tenantId, digest: digestOf(parts), parts };
}

/** Returns the id of the branch of a namespace, or `undefined`. */
export function branchOf([, , , , , branch]: NamespaceParts): string | undefined {
  return branch;
}

/** Returns the namespace that one of a branch is over, and any other one itself. */
export function baseOf(namespace: Namespace): Namespace {
  const { tenantId, parts } = namespace;
  return branchOf(parts) === undefined ? namespace : namespaceOfParts(tenantId, basePartsOf(parts));
}

/** Returns parts without their branch: the scope, and the subject of a private one. */
export function basePartsOf([
  project,
  mission,
  agent,
  visibility,
  subject,
]: NamespaceParts): NamespaceParts {
  return [project, mission, agent, visibility, subject];
}

/** Returns the namespace of a branch over one outside of branches. */
export function inBranch({ tenantId, parts }: Namespace, branch: string): Namespace {
  const [project, mission, agent, visibility, subject] = parts;
  return namespaceOfParts(tenantId, [project, mission, agent, visibility, subject, branch]);
}

/** Returns the parts of a scope, which the namespaces of all subjects and branches share. */
export function scopePartsOf([
  project,
  mission,
  agent,
  visibility,
]: NamespaceParts): NamespaceParts {
  return [project, mission, agent, visibility, null];
}

/** Returns the digest of a scope, which the private namespaces of all subjects share. */
export function scopeDigest(parts: NamespaceParts): Uint8Array {
  return digestOf(scopePartsOf(parts));
}

/**
 * Returns a namespace as shown in receipts, which is unique for tenant, scope and private subject.
 * It is shorter than 4,096 bytes, because text ids contain no control characters.
 */
export function shownNamespace({ tenantId, parts }: Namespace): string {
  return `ns1_${Buffer.from(JSON.stringify([tenantId, ...parts]), 'utf8').toString('base64url')}`;
}

/** Only the oldest is dropped, so that new scopes don't force all others to be hashed again. */
const digests = new BoundedMap<string, Uint8Array>({ max: 4_096 });

/**
 * Remembers digests, because agents use few scopes: without it, the row `read by id` takes 17 %
 * more processor time.
 */
function digestOf(parts: NamespaceParts): Uint8Array {
  const name = nameOf(parts);
  const known = digests.get(name);
  if (known !== undefined) return known;
  // An array of strings and nulls has exactly one JSON form.
  const digest = sha256(JSON.stringify(parts));
  digests.set(name, digest);
  return digest;
}

/** Names a namespace without ambiguity, in a fraction of the time that its JSON takes. */
function nameOf([project, mission, agent, visibility, subject, branch]: NamespaceParts): string {
  const sizes = `${project.length} ${mission === null ? '' : mission.length} ${agent.length}`;
  const owner = subject === null ? '' : `+${subject}`;
  // An id of a branch has one length, so that no two names are the same.
  const over = branch === undefined ? '' : `${branch} `;
  return `${over}${sizes} ${visibility.length} ${project}${mission ?? ''}${agent}${visibility}${owner}`;
}

/** The readable scope behind a namespace digest. */
export const namespaces = defineFamily({
  name: 'namespaces',
  number: 5,
  key: ['digest'],
  layout: tupleLayout<NamespaceParts>(1),
  sealedBy: 'tenant',
  owner: 'scope',
  exported: { line: 'scope' },
  erased: 'removed',
  counts: null,
  traces: { mayLackNamespace: true },
});

/** Stores the readable form of a namespace, unless it is stored already. */
export function ensureNamespace(tx: WriteTx, { tenantId, digest, parts }: Namespace): void {
  if (namespaces.has(tx, tenantId, digest)) return;
  namespaces.put(tx, parts, tenantId, digest);
}

/** A stored namespace: its digest in keys, and its readable form. */
export interface StoredNamespace {
  readonly digest: Uint8Array;
  readonly parts: NamespaceParts;
}

/** Returns the namespaces of a tenant after a digest, in the order of digests. */
export function namespacesAfter(
  tx: ReadTx,
  tenantId: string,
  { after, limit }: { readonly after: Uint8Array | undefined; readonly limit: number },
): StoredNamespace[] {
  const start: [Uint8Array] | undefined = after === undefined ? undefined : [after];
  const rows = namespaces.rows(tx, tenantId, { prefix: [], after: start, limit });
  return Array.from(rows, ({ key, value: parts }) => ({
    digest: trailingDigest(key),
    parts,
  }));
}

/** Returns the readable form of a stored namespace, or `undefined`. */
export function findNamespace(
  tx: ReadTx,
  tenantId: string,
  digest: Uint8Array,
): NamespaceParts | undefined {
  return namespaces.get(tx, tenantId, digest);
}

/** Removes the readable form of a namespace that has no data any more. */
export function removeNamespace(
  tx: WriteTx,
  { tenantId, digest }: Pick<Namespace, 'tenantId' | 'digest'>,
): void {
  tx.remove(namespaces.keyOf(tenantId, digest));
}

/**
 * Most namespaces that are remembered. Beyond it, those of the tenant with the most are forgotten.
 */
const KNOWN_MAX = 16_384;

/** A bounded memory of stored namespaces. */
export class KnownNamespaces {
  readonly #max: number;
  readonly #byTenant = new Map<string, Set<string>>();
  #size = 0;

  constructor(max = KNOWN_MAX) {
    this.#max = max;
  }

  /** Returns true only for a namespace that a commit has stored. */
  has({ tenantId, digest }: Namespace): boolean {
    return this.#byTenant.get(tenantId)?.has(keyText(digest)) === true;
  }

  /** Remembers a namespace after the commit of a transaction that ensured it. */
  add({ tenantId, digest }: Namespace): void {
    if (this.#size >= this.#max) this.#dropLargest();
    const known = this.#byTenant.get(tenantId) ?? new Set();
    this.#byTenant.set(tenantId, known);
    const before = known.size;
    this.#size += known.add(keyText(digest)).size - before;
  }

  /** Forgets the namespaces of a tenant, before one of them is removed. */
  forget(tenantId: string): void {
    this.#size -= this.#byTenant.get(tenantId)?.size ?? 0;
    this.#byTenant.delete(tenantId);
  }

  #dropLargest(): void {
    let largest: [string, Set<string>] | undefined;
    for (const each of this.#byTenant) {
      if (each[1].size > (largest?.[1].size ?? 0)) largest = each;
    }
    if (largest === undefined) return;
    this.#byTenant.delete(largest[0]);
    this.#size -= largest[1].size;
  }
}
