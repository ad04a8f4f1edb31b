/**
 * Recognizes what is left of an erased subject, scope or tenant in one entry of a store, also where
 * its names occur.
 */
import { setImmediate } from 'node:timers/promises';
import { certain } from '../../contract/certain.js';
import { type NamespaceParts, namespaces } from '../../kernel/access/namespace.js';
import { auditBlocks, auditPostings } from '../../kernel/audit-log/audit-store.js';
import { type EventFields, memberOf } from '../../kernel/audit-log/event-fields.js';
import { ALL_OF_TENANT } from '../../kernel/erased/removal-store.js';
import type { Families, StoredFamily } from '../../storage/families/families.js';
import { copyBytes, keyText } from '../../storage/store/bytes.js';
import {
  afterKey,
  afterPrefix,
  encodeKey,
  INSTALLATION,
  partsOfKey,
  trailingUuid,
} from '../../storage/store/key.js';
import type { Entry, Store } from '../../storage/store/store.js';
import { erasuresOf } from '../erasure/erased-since.js';
import { isAbout, isOfTarget, nameDigests, type StoredTarget } from '../stored/target.js';
import { type DigestedNames, NameSearch, type Occurrence } from './name-search.js';

/** What an entry has of the target: what had to go, a mention that may stay, or nothing. */
export type Trace = 'left' | 'kept' | undefined;

const DIGEST_BYTES = 32;

const ACCOUNT = /^user:([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/u;
/** Members of events that name an account. */
const NAMING = /(?:username|email)$/u;
const PSEUDONYM = /^erased-[\w-]{22}$/u;

/** What is searched for in the data of one tenant. */
export class TracedTarget {
  readonly #families: Families;
  readonly #tenantId: string;
  readonly #target: StoredTarget;
  /** The stored namespaces of the tenant, and those of the target among them. */
  readonly #namespaces = new Set<string>([keyText(ALL_OF_TENANT)]);
  readonly #erased = new Set<string>();
  /** Digests that stand for the name of the subject in keys of an encrypted store. */
  readonly #names = new Set<string>();
  /** Ids of the accounts that are stored. Others were erased: a deleted account is kept. */
  readonly #accounts = new Set<string>();
  #search: NameSearch | undefined;

  constructor(families: Families, tenantId: string, target: StoredTarget) {
    this.#families = families;
    this.#tenantId = tenantId;
    this.#target = target;
  }

  /** Notes a stored namespace. Call it for all of them first. */
  note(digest: Uint8Array, parts: NamespaceParts): void {
    this.#namespaces.add(keyText(digest));
    const isErased = this.#target.kind === 'tenant' || isOfTarget(parts, this.#target);
    if (isErased) this.#erased.add(keyText(digest));
  }

  /** Notes a stored account of the tenant or of the installation. */
  noteAccount(id: string): void {
    this.#accounts.add(id);
  }

  /** Searches for all names that the subject has or had. */
  searchFor(search: NameSearch): void {
    this.#search = search;
  }

  /** Returns beginnings of keys with the name of the subject, in these namespaces and beside. */
  keysOfSubject(namespaces: readonly Uint8Array[]): Uint8Array[] {
    if (this.#target.kind !== 'subject') return [];
    const { subject_id: subject } = this.#target;
    return this.#families.all.flatMap((family) => {
      const at = subjectIn(family);
      if (at === undefined || family.facts.digests?.includes(at) !== true) return [];
      const before = at === 0 ? [[]] : namespaces.map((digest) => [digest]);
      const { number, shape } = family;
      return before.map((parts) => encodeKey(this.#tenantId, number, shape, [...parts, subject]));
    });
  }

  /** Notes such a beginning as it is stored: an encrypted store has a digest for the name. */
  noteKey(stored: Uint8Array): void {
    if (stored.length < DIGEST_BYTES) return;
    this.#names.add(keyText(stored.subarray(-DIGEST_BYTES)));
  }

  /** Says what an entry of the tenant, or of the installation, has of the target. */
  traceIn(authority: string, family: string, { key, value }: Entry): Trace {
    const target = this.#target;
    const parts = partsOfKey(this.#families.get(family).shape, key);
    if (target.kind === 'tenant') return this.#ofTenant(authority, family, parts, { key, value });
    if (authority === INSTALLATION)
      return this.#ofSubject(authority, family, parts, { key, value });
    const { owner, traces } = this.#families.get(family).facts;
    const [first] = parts;
    const hasNamespace = owner === 'scope' && traces?.mayLackNamespace !== true;
    if (hasNamespace && first instanceof Uint8Array) {
      const digest = keyText(first);
      if (this.#erased.has(digest) || !this.#namespaces.has(digest)) return 'left';
    }
    if (target.kind === 'scope') {
      const isOf = parts.some(
        (part) => part instanceof Uint8Array && this.#erased.has(keyText(part)),
      );
      return isOf ? 'left' : undefined;
    }
    return this.#ofSubject(authority, family, parts, { key, value });
  }

  #ofSubject(authority: string, family: string, parts: readonly unknown[], entry: Entry): Trace {
    const search = this.#search;
    if (search === undefined) return undefined;
    if (authority === this.#tenantId && this.#isKeyOf(family, parts)) return 'left';
    if (isOfOtherPeople(authority, family, parts)) return undefined;
    const value = this.#opened(family, entry.key, entry.value);
    if (family === auditBlocks.name && this.#tellsOfErased(value)) return 'left';
    const found = strongerOf(search.in(parts.filter(isText)), search.in(searchable(family, value)));
    if (found === undefined) return undefined;
    // Another tenant may have a subject with the same name.
    if (authority === INSTALLATION && !isAboutTenant(parts, value, this.#tenantId))
      return undefined;
    // A name among words is what somebody else wrote.
    return found === 'among_words' || this.#isOfOthers(family, value, search) ? 'kept' : 'left';
  }

  /** Whether a key has the id of the subject where the subject belongs. */
  #isKeyOf(family: string, parts: readonly unknown[]): boolean {
    const subjectAt = subjectIn(this.#families.get(family));
    const target = this.#target;
    const id = target.kind === 'subject' ? target.subject_id : undefined;
    const isNamed = subjectAt !== undefined && parts[subjectAt] === id;
    return isNamed || parts.some((part) => this.#isName(part));
  }

  /** Whether an event about an account that is gone still says whose it was. */
  #tellsOfErased(block: unknown): boolean {
    const { events = [] } = block as { readonly events?: readonly (readonly unknown[])[] };
    return events.some(([, fields]) => {
      const event = fields as EventFields;
      const about = accountOf(event);
      if (about === undefined || this.#accounts.has(about)) return false;
      const own = memberOf(event, 'userId') === about ? [memberOf(event, 'username')] : [];
      const members = Object.entries(memberOf(event, 'metadata'));
      const told = members.flatMap(([name, each]) => (NAMING.test(name) ? [each] : []));
      return [...own, ...told].some((each) => typeof each === 'string' && !PSEUDONYM.test(each));
    });
  }

  #ofTenant(
    authority: string,
    family: string,
    parts: readonly unknown[],
    { key, value }: Entry,
  ): Trace {
    if (authority === this.#tenantId) return 'left';
    const isNamed = parts.includes(this.#tenantId);
    if (!isNamed && !mentions(this.#opened(family, key, value), this.#tenantId)) return undefined;
    // The log of the installation, and its credentials, say which tenants there were.
    const { owner, erased } = this.#families.get(family).facts;
    const stays = owner === 'tenant' || (erased === 'kept' && owner !== 'named_tenant');
    return stays ? 'kept' : 'left';
  }

  /** Decodes a value. What is damaged is searched as text. */
  #opened(family: string, key: Uint8Array, value: Uint8Array): unknown {
    try {
      return this.#families.get(family).open(key, value);
    } catch {
      return Buffer.from(value).toString('utf8');
    }
  }

  /** Whether others have an entry, so that it stays although it names the subject. */
  #isOfOthers(family: string, value: unknown, search: NameSearch): boolean {
    const { owner, traces } = this.#families.get(family).facts;
    const { isOf = owner === 'scope' && family !== namespaces.name ? 'others' : undefined } =
      traces ?? {};
    if (typeof isOf === 'function') return search.in(isOf(value as never)) === undefined;
    return isOf === 'others';
  }

  #isName(part: unknown): boolean {
    if (!(part instanceof Uint8Array)) return false;
    return this.#names.has(keyText(part.subarray(-DIGEST_BYTES)));
  }
}

/** Which part of the keys of a family is the id of a subject, if any. */
function subjectIn({ facts }: StoredFamily): number | undefined {
  return facts.subjectAt ?? (facts.owner === 'subject' ? 0 : undefined);
}

function isText(part: unknown): boolean {
  return typeof part === 'string';
}

function strongerOf(one: Occurrence, other: Occurrence): Occurrence {
  return one === 'alone' ? one : (other ?? one);
}

/** The account that an event is about, or that acted. */
function accountOf(event: EventFields): string | undefined {
  const [, about] = ACCOUNT.exec(memberOf(event, 'resource')) ?? [];
  if (about !== undefined) return about;
  const isOfAccount =
    memberOf(event, 'type') === 'login' || memberOf(event, 'metadata')['principal'] === 'account';
  return isOfAccount ? (memberOf(event, 'userId') ?? undefined) : undefined;
}

/** Members of events with fixed words, which may be names as well. */
const FIXED_MEMBERS = ['type', 'action', 'result'] as const;

/** Returns a value without the fixed words of events. */
function searchable(family: string, value: unknown): unknown {
  if (family !== auditBlocks.name) return value;
  const { events = [] } = value as { readonly events?: readonly (readonly unknown[])[] };
  return events.map(([, fields]) => {
    const event = fields as EventFields;
    const fixed = new Set<unknown>(FIXED_MEMBERS.map((member) => memberOf(event, member)));
    return event.filter((each) => !fixed.has(each));
  });
}

/**
 * Whether an entry is about people of the installation, who may have the same names, or indexes
 * fixed words.
 */
function isOfOtherPeople(authority: string, family: string, [member]: readonly unknown[]): boolean {
  if (family === auditPostings.name) return authority === INSTALLATION || member !== 'username';
  return family === auditBlocks.name && authority === INSTALLATION;
}

/** Whether an entry of the installation is about a tenant. */
function isAboutTenant(parts: readonly unknown[], value: unknown, tenantId: string): boolean {
  return parts.includes(tenantId) || mentions(value, tenantId);
}

/** Whether a name stands alone in a value: as a text, or behind the kind of a resource. */
function mentions(value: unknown, name: string): boolean {
  if (typeof value === 'string') return value === name || value.endsWith(`:${name}`);
  if (value instanceof Uint8Array || typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((each) => mentions(each, name));
}

/** Whose names are gathered. */
interface NamedSubject {
  readonly tenantId: string;
  readonly subjectId: string;
  /** Further names that the caller knows. */
  readonly names: readonly string[];
}

/** Returns a search for the names of a subject. Calls back with the id of each stored account. */
export async function searchForSubject(
  store: Store,
  families: Families,
  { tenantId, subjectId, names: given }: NamedSubject,
  noteAccount: (id: string) => void,
): Promise<NameSearch> {
  const names = new Set([subjectId, ...given]);
  const own = new Set<string>();
  const traced = families.all.map((family) => ({ family, ...family.facts.traces }));
  for (const { family, subjectOf } of traced) {
    if (subjectOf === undefined) continue;
    for await (const { key, value } of familyEntries(store, tenantId, family)) {
      if (subjectOf(family.open(key, value) as never) === subjectId) own.add(trailingUuid(key));
    }
  }
  for (const { family, personIn } of traced) {
    if (personIn === undefined) continue;
    for (const authority of [INSTALLATION, tenantId]) {
      for await (const { key, value } of familyEntries(store, authority, family)) {
        noteAccount(trailingUuid(key));
        const { credentialId, names: all } = personIn(family.open(key, value) as never);
        if (credentialId === null || !own.has(credentialId)) continue;
        for (const name of all) names.add(name);
      }
    }
  }
  return new NameSearch(names, await digestedNames(store, tenantId, subjectId));
}

async function digestedNames(
  store: Store,
  tenantId: string,
  subjectId: string,
): Promise<DigestedNames[]> {
  const found: DigestedNames[] = [];
  for await (const erasure of erasuresOf(store, tenantId)) {
    if (!isAbout(erasure, { kind: 'subject', subject_id: subjectId })) continue;
    if (erasure.finishedAtMillis === null || erasure.names.length === 0) continue;
    const digestOf = (name: string): string =>
      certain(nameDigests(erasure.targetKey, [name])[0], 'digest');
    found.push({ digests: new Set(erasure.names), digestOf });
  }
  return found;
}

async function* familyEntries(store: Store, authority: string, { number, shape }: StoredFamily) {
  const from = encodeKey(authority, number, shape, []);
  const to = afterPrefix(from);
  for await (const entries of entriesBetween(store, from, to)) yield* entries;
}

/** Entries that one read looks at. */
const LOOKED_AT_ONCE = 512;

/** Yields the entries between two keys in slices. It is not one state while writes go on. */
export async function* entriesBetween(
  store: Store,
  first: Uint8Array,
  to: Uint8Array,
): AsyncGenerator<Entry[], void> {
  let from = first;
  for (;;) {
    const start = from;
    const found = await store.read((tx) =>
      Array.from(tx.range({ from: start, to, limit: LOOKED_AT_ONCE }), ({ key, value }) => ({
        key: copyBytes(key),
        value: copyBytes(value),
      })),
    );
    yield found;
    await setImmediate();
    const last = found.at(-1);
    if (last === undefined || found.length < LOOKED_AT_ONCE) return;
    from = afterKey(last.key);
  }
}
