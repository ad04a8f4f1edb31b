/**
 * Equal values have one digest, whatever they look like.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { documentDigest } from './document-digest.js';

const domain = 'agentkeep test 1';

test('is SHA-256 over domain and canonical form', () => {
  expect(documentDigest(domain, { b: [true, null], a: 1 })).toMatch(/^[0-9a-f]{64}$/);
  expect(documentDigest(domain, { a: 1.0, b: [true, null] })).toBe(
    documentDigest(domain, { b: [true, null], a: 1 }),
  );
  expect(documentDigest('agentkeep other 1', {})).not.toBe(documentDigest(domain, {}));
});

test('order of members does not matter, order in arrays does', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (members) => {
      const turned = Object.fromEntries(Object.entries(members).reverse());
      expect(documentDigest(domain, JSON.parse(JSON.stringify(turned)))).toBe(
        documentDigest(domain, JSON.parse(JSON.stringify(members))),
      );
    }),
  );
  expect(documentDigest(domain, [1, 2])).not.toBe(documentDigest(domain, [2, 1]));
});
