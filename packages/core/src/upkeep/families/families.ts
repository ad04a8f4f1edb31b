/**
 * All families of the store. Exports, erasures, counts, quotas, sealing and checks of snapshots
 * walk them. Each is defined once, by its owner; the list of its domain names it.
 */
import { identityFamilies } from '../../domains/tenancy/families.js';
import { learningFamilies } from '../../domains/learning/families.js';
import { memoryFamilies } from '../../domains/memory/families.js';
import { peopleFamilies } from '../../domains/people/families.js';
import type { ListedFamily } from '../../storage/store/family.js';
import { tenantEnd } from '../../storage/store/key.js';
import { webhookFamilies } from '../../domains/webhooks/families.js';
import { ownFamilies } from './own-families.js';

const listed = [
  ...ownFamilies,
  ...identityFamilies,
  ...memoryFamilies,
  ...learningFamilies,
  ...peopleFamilies,
  ...webhookFamilies,
];

/** Name of a family. */
export type FamilyName = (typeof listed)[number]['name'];

/** A family of any kind of entries. */
export type StoredFamily = ListedFamily<FamilyName>;

/** Every family, in the order of the key space. */
const inOrder: readonly StoredFamily[] = (listed as readonly StoredFamily[]).toSorted(
  (one, other) => one.number - other.number,
);

/** All names, in the order of the key space. */
export const familyNames: readonly FamilyName[] = inOrder.map(({ name }) => name);

/** The families, by name. */
export const families = Object.fromEntries(
  inOrder.map((family) => [family.name, family]),
) as Readonly<Record<FamilyName, StoredFamily>>;

const byNumber: (StoredFamily | undefined)[] = [];
for (const family of inOrder) {
  const other = byNumber[family.number] ?? families[family.name];
  if (other !== family) {
    throw new TypeError(`${family.name} has the number or the name of ${other.name}.`);
  }
  byNumber[family.number] = family;
}

/** Returns the family of a key, or `undefined` if its number is unknown. */
export function familyOfKey(key: Uint8Array): FamilyName | undefined {
  const end = tenantEnd(key);
  return end === -1 ? undefined : byNumber[key[end + 1] ?? -1]?.name;
}

const sources = new Map<FamilyName, FamilyName>();
for (const { name, facts } of inOrder) {
  const source = facts.derived?.source ?? null;
  if (source === null) continue;
  if (!isFamilyName(source))
    throw new TypeError(`${name} is derived from ${source}, which is no family.`);
  sources.set(name, source);
}

/** Returns the family that another is derived from; `undefined` for one that is not. */
export function sourceOf(name: FamilyName): FamilyName | undefined {
  return sources.get(name);
}

function isFamilyName(text: string): text is FamilyName {
  return Object.hasOwn(families, text);
}
