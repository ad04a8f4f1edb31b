/** Known namespaces are bounded, and a tenant with many displaces its own first. */
import { expect, test } from 'vitest';
import { textDigest } from '../../storage/store/key.js';
import { KnownNamespaces, type Namespace } from './namespace.js';

const namespaceAt = (tenantId: string, number: number): Namespace => ({
  tenantId,
  digest: textDigest(String(number)),
  parts: [String(number), null, 'a', 'shared', null],
});

test('only what was added is known, for its tenant', () => {
  const known = new KnownNamespaces();
  known.add(namespaceAt('a', 1));
  known.add(namespaceAt('a', 1));
  expect(known.has(namespaceAt('a', 1))).toBe(true);
  expect(known.has(namespaceAt('a', 2))).toBe(false);
  expect(known.has(namespaceAt('b', 1))).toBe(false);
});

test('the tenant with the most namespaces gives way', () => {
  const known = new KnownNamespaces(8);
  known.add(namespaceAt('small', 0));
  for (let number = 0; number < 100; number++) known.add(namespaceAt('large', number));
  expect(known.has(namespaceAt('small', 0))).toBe(true);
  const kept = Array.from({ length: 100 }, (_, number) => known.has(namespaceAt('large', number)));
  expect(kept.filter(Boolean).length).toBeLessThanOrEqual(7);
  expect(kept.at(-1)).toBe(true);
});
