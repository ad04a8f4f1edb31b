/** Looks for the names of a subject in stored entries. */
import { setImmediate } from 'node:timers/promises';
import { certain } from '../../contract/certain.js';
import type { Families, StoredFamily } from '../../storage/families/families.js';
import { copyBytes } from '../../storage/store/bytes.js';
import {
  afterKey,
  afterPrefix,
  encodeKey,
  INSTALLATION,
  trailingUuid,
} from '../../storage/store/key.js';
import type { Entry, Store } from '../../storage/store/store.js';
import { erasuresOf } from '../erasure/erased-since.js';
import { isAbout, nameDigests } from '../stored/target.js';
import { type DigestedNames, NameSearch } from './name-search.js';

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
