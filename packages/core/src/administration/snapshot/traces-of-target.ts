/** Recognizes what is left of an erased subject, scope or tenant in one entry of a store. */
import type { NamespaceParts } from '../../access/namespace.js';
import { keyText } from '../../storage/store/bytes.js';
import { encodeKey, partsOfKey } from '../../storage/store/key.js';
import { INSTALLATION, keyspace } from '../../storage/store/keyspace.js';
import type { Entry } from '../../storage/store/store.js';
import { isOfTarget } from '../erasure/target.js';
import type { StoredTarget } from '../erasure/schema.js';
import type { FamilyName } from '../families/family-facts.js';
import { familyFacts } from '../families/family-table.js';
import { familySubspaces } from './families.js';

/** What an entry has of the target: what had to go, a mention that may stay, or nothing. */
export type Trace = 'left' | 'kept' | undefined;

/** Families with scopes in their keys that no namespace has to be stored for. */
const WITHOUT_NAMESPACE: ReadonlySet<FamilyName> = new Set([
  ...(['memoryRetention', 'memoryBranchHolds', 'erasureMarks', 'namespaces'] as const),
]);

const DIGEST_BYTES = 32;

/** What is searched for in the data of one tenant. */
export class TracedTarget {
  readonly #tenantId: string;
  readonly #target: StoredTarget;
  /** The stored namespaces of the tenant, and those of the target among them. */
  readonly #namespaces = new Set<string>();
  readonly #erased = new Set<string>();
  /** Digests that stand for the name of the subject in keys of an encrypted store. */
  readonly #names = new Set<string>();

  constructor(tenantId: string, target: StoredTarget) {
    this.#tenantId = tenantId;
    this.#target = target;
  }

  /** Notes a stored namespace. Call it for all of them first. */
  note(digest: Uint8Array, parts: NamespaceParts): void {
    this.#namespaces.add(keyText(digest));
    const isErased = this.#target.kind === 'tenant' || isOfTarget(parts, this.#target);
    if (isErased) this.#erased.add(keyText(digest));
  }

  /** Returns beginnings of keys with the name of the subject, in these namespaces and beside. */
  keysOfSubject(namespaces: readonly Uint8Array[]): Uint8Array[] {
    if (this.#target.kind !== 'subject') return [];
    const { subject_id: subject } = this.#target;
    const keyOf = (family: FamilyName, parts: readonly unknown[]): Uint8Array =>
      encodeKey(this.#tenantId, keyspace[family].number, keyspace[family].shape, parts);
    return [
      ...(['memoryBatchReceipts', 'programCredentials'] as const).map((family) =>
        keyOf(family, [subject]),
      ),
      ...namespaces.map((digest) => keyOf('memoryReceipts', [digest, subject])),
    ];
  }

  /** Notes such a beginning as it is stored: an encrypted store has a digest for the name. */
  noteKey(stored: Uint8Array): void {
    if (stored.length < DIGEST_BYTES) return;
    this.#names.add(keyText(stored.subarray(-DIGEST_BYTES)));
  }

  /** Says what an entry of the tenant, or of the installation, has of the target. */
  traceIn(authority: string, family: FamilyName, { key, value }: Entry): Trace {
    const target = this.#target;
    const parts = partsOfKey(keyspace[family].shape, key);
    if (target.kind === 'tenant') return this.#ofTenant(authority, family, parts, { key, value });
    if (authority === INSTALLATION) return undefined;
    const { owner } = familyFacts[family];
    const [first] = parts;
    if (owner === 'scope' && first instanceof Uint8Array && !WITHOUT_NAMESPACE.has(family)) {
      const digest = keyText(first);
      if (this.#erased.has(digest) || !this.#namespaces.has(digest)) return 'left';
    }
    if (target.kind === 'scope') {
      const isOf = parts.some(
        (part) => part instanceof Uint8Array && this.#erased.has(keyText(part)),
      );
      return isOf ? 'left' : undefined;
    }
    const name = target.subject_id;
    if (parts.some((part) => part === name || this.#isName(part))) return 'left';
    if (!mentions(opened(family, key, value), name)) return undefined;
    // Others have these memories, which say who wrote them.
    const isOfOthers = owner === 'scope' && family !== 'namespaces';
    return isOfOthers || family === 'memoryChanges' ? 'kept' : 'left';
  }

  #ofTenant(
    authority: string,
    family: FamilyName,
    parts: readonly unknown[],
    { key, value }: Entry,
  ): Trace {
    if (authority === this.#tenantId) return 'left';
    const isNamed = parts.includes(this.#tenantId);
    if (!isNamed && !mentions(opened(family, key, value), this.#tenantId)) return undefined;
    // The log of the installation, and its credentials, say which tenants there were.
    const { owner, erased } = familyFacts[family];
    const stays = owner === 'tenant' || (erased === 'kept' && owner !== 'named_tenant');
    return stays || family === 'globalCredentialEvents' ? 'kept' : 'left';
  }

  #isName(part: unknown): boolean {
    if (!(part instanceof Uint8Array)) return false;
    return this.#names.has(keyText(part.subarray(-DIGEST_BYTES)));
  }
}

/** Decodes a value. What is damaged is searched as text. */
function opened(family: FamilyName, key: Uint8Array, value: Uint8Array): unknown {
  try {
    return familySubspaces[family].open(key, value);
  } catch {
    return Buffer.from(value).toString('utf8');
  }
}

/** Whether a name stands alone in a value: as a text, or behind the kind of a resource. */
function mentions(value: unknown, name: string): boolean {
  if (typeof value === 'string') return value === name || value.endsWith(`:${name}`);
  if (value instanceof Uint8Array || typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((each) => mentions(each, name));
}
