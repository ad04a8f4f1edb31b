/** Everything that says something is sealed. */
import { describe, expect, test } from 'vitest';
import { encodeKey } from '../../storage/store/key.js';
import { families } from '../../domains.js';
import { sealedFamilies } from '../../keep/sealed-families.js';

const rowOf = (name: string) => {
  const { number, shape } = families.get(name);
  return sealedFamilies.of(encodeKey('acme', number, shape, []));
};

/** Families that are readable though others read them too, each with what its values hold. */
const readable: Readonly<Partial<Record<string, string>>> = {
  tenants: 'id and times, which are needed before the key of the tenant is there',
  embeddingSpaces: 'names of models and their sizes',
  memoryBranchMerged: 'revisions',
  memorySources: 'ids and revisions',
  memoryRedactedSources: 'nothing',
  memoryRetention: 'numbers of days',
  storageQuotas: 'numbers of bytes',
  rateLimitPolicies: 'numbers of calls',
  keyRequirements: 'whether credentials need a key',
  memoryBranchMerges: 'digests and numbers',
  erasedSubjects: 'nothing',
  erasedReceipts: 'nothing',
  revokedTokens: 'times',
};

describe('the sealing of families', () => {
  // ENC-4
  test.each(families.names)('seals %s, or lists why it is readable', (name) => {
    const { exported, derived } = families.get(name).facts;
    if (exported === 'derived' || (derived?.source ?? null) !== null) return;
    const isWorking = 'not' in exported && (exported.not === 'working' || exported.not === 'audit');
    if (isWorking || readable[name] !== undefined) return;
    expect(rowOf(name), name).toBeDefined();
  });

  // ENC-5
  test.each(families.names)('stores only texts of the keys of %s as digests', (name) => {
    for (const part of rowOf(name)?.digests ?? []) {
      expect(families.get(name).shape[part]).toBe('text');
    }
  });

  test('lists no family as readable that is sealed', () => {
    const both = families.names.filter((name) => readable[name] !== undefined && rowOf(name));
    expect(both).toEqual([]);
  });
});
