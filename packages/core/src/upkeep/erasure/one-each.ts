/** The entries that a family has one of for each entry of another: both go in one transaction. */
import { credentialLocators } from '../../domains/tenancy/credential/credential-store.js';
import { memoryRecords, memoryScan } from '../../domains/memory/record/memory-store.js';
import { accountIndexKeys, accounts } from '../../domains/people/account/account-store.js';
import { apiKeyDigests, apiKeys } from '../../domains/people/api-key/api-key-store.js';
import { INSTALLATION, partsOfKey, trailingUuid } from '../../storage/store/key.js';
import type { Entry } from '../../storage/store/store.js';
import { families, familyNames, type FamilyName, sourceOf } from '../families/families.js';

/** A derived entry, by its family. */
type DerivedKey = readonly [family: FamilyName, key: Uint8Array];

/** Returns the keys of what is derived from an entry of a tenant. */
type DerivedOf = (tenantId: string, entry: Entry) => readonly DerivedKey[];

const derivedOf: Partial<Record<FamilyName, DerivedOf>> = {
  credentials: (_tenantId, { key }) => [
    ['credentialLocators', credentialLocators.keyOf(INSTALLATION, trailingUuid(key))],
  ],
  accounts: (_tenantId, { key, value }) => accountIndexKeys(accounts.open(key, value)),
  apiKeys: (_tenantId, { key, value }) => [
    ['apiKeyDigests', apiKeyDigests.keyOf(INSTALLATION, apiKeys.open(key, value).digest)],
  ],
  memoryRecords: (tenantId, { key }) => {
    const [digest, recordId] = partsOfKey(memoryRecords.shape, key);
    return [['memoryScan', memoryScan.keyOf(tenantId, digest as Uint8Array, String(recordId))]];
  },
};

/** Returns the keys of what goes with an entry of a tenant. */
export function derivedKeys(
  family: FamilyName,
  tenantId: string,
  entry: Entry,
): readonly DerivedKey[] {
  return derivedOf[family]?.(tenantId, entry) ?? [];
}

/** Returns whether the entries of a family go with those that they are derived from. */
export function goesWithSource(family: FamilyName): boolean {
  const source = sourceOf(family);
  const isOneEach = families[family].facts.derived?.isOneEach === true;
  return isOneEach && source !== undefined && derivedOf[source] !== undefined;
}

/** Returns how many entries go where one of a family goes. */
export function entriesGoingWith(family: FamilyName): number {
  const isOf = (name: FamilyName): boolean => sourceOf(name) === family;
  return 1 + familyNames.filter((name) => isOf(name) && goesWithSource(name)).length;
}
