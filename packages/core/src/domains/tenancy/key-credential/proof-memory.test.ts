/** The memory of proofs is bounded, and what one credential sends displaces only its own. */
import { expect, test } from 'vitest';
import { KEY_NONCE_MS, KEY_PROOFS_OF_NONCE_MAX, ProofMemory } from './dpop-proofs.js';

function memory(credentialsMax?: number): ProofMemory {
  let made = 0;
  return new ProofMemory(() => `n${(made += 1)}`, credentialsMax);
}

test('a nonce belongs to one credential, and a proof counts once', () => {
  const proofs = memory();
  expect(proofs.admit('a', { nonce: undefined, id: '1' }, 0)).toBe('stale');
  const nonce = proofs.nonceOf('a', 0);
  expect(proofs.admit('a', { nonce, id: '1' }, 0)).toBe('new');
  expect(proofs.admit('a', { nonce, id: '1' }, 0)).toBe('replayed');
  expect(proofs.admit('a', { nonce, id: '2' }, 0)).toBe('new');
  expect(proofs.admit('b', { nonce, id: '3' }, 0)).toBe('stale');
});

test('KCR-11 a nonce counts for a time and a number of proofs', () => {
  const proofs = memory();
  const first = proofs.nonceOf('a', 0);
  expect(proofs.admit('a', { nonce: first, id: '1' }, KEY_NONCE_MS - 1)).toBe('new');
  expect(proofs.admit('a', { nonce: first, id: '2' }, KEY_NONCE_MS)).toBe('stale');
  const second = proofs.nonceOf('a', KEY_NONCE_MS);
  expect(second).not.toBe(first);
  for (let count = 0; count < KEY_PROOFS_OF_NONCE_MAX; count += 1) {
    expect(proofs.admit('a', { nonce: second, id: `${count}` }, KEY_NONCE_MS)).toBe('new');
  }
  expect(proofs.admit('a', { nonce: second, id: '0' }, KEY_NONCE_MS)).toBe('stale');
  expect(proofs.admit('a', { nonce: second, id: 'new' }, KEY_NONCE_MS)).toBe('stale');
});

test('KCR-12 credentials that were used longest ago give way, and their proofs stay refused', () => {
  const proofs = memory(2);
  const nonce = proofs.nonceOf('a', 0);
  expect(proofs.admit('a', { nonce, id: '1' }, 0)).toBe('new');
  for (const other of ['b', 'c', 'd']) proofs.nonceOf(other, 0);
  expect(proofs.size).toBe(2);
  expect(proofs.admit('a', { nonce, id: '1' }, 0)).toBe('stale');
});
