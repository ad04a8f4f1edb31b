/**
 * Proofs of keys that were signed for another address and are sent on with a `Host` that fits
 * (docs/contract/key-credentials.md#kcr-8).
 */
import { openKeep } from '@agentkeep/core';
import { bootstrapTenant } from '@agentkeep/core/operator';
import { ManualClock } from '@agentkeep/core/testing';
import { testStore } from '@agentkeep/testkit/test-store';
import { describe, expect, test } from 'vitest';
import { createServer, type ServerOptions } from '../../src/http/create-server.js';
import { KeyCaller, newKeys, publicKey } from '../keys/key-caller.js';

const IDENTITY = '/api/v1/identity';
const PUBLIC = 'https://keep.example.com';
const INTERNAL = 'http://keep.internal:8080';

/** Calls with a proof for an origin at another host; says the status after the nonce was given. */
async function statusFor(options: ServerOptions, origin: string, host: string): Promise<number> {
  const clock = new ManualClock();
  // The library takes the time of the machine.
  clock.stepTo(Date.now());
  await using keep = await openKeep({ store: testStore(), clock });
  const { secret } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  const app = createServer(keep, options);
  const keys = await newKeys();
  const spec = { subject_id: 'robot', capabilities: ['memory_read'], grants: [] };
  const document = { contract_version: 1, spec, public_key: await publicKey(keys) };
  const issued = await app.request('/api/v1/key-credentials', {
    method: 'POST',
    headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(document),
  });
  expect(issued.status).toBe(201);
  const { token } = (await issued.json()) as { readonly token: string };
  const caller = new KeyCaller(app.request, keys, token);
  const send = async (nonce?: string) => {
    const proof = await caller.proof('GET', IDENTITY, { htu: origin + IDENTITY, nonce });
    return caller.send(IDENTITY, proof, { headers: { Host: host } });
  };
  const challenged = await send();
  return (await send(challenged.headers.get('dpop-nonce') ?? undefined)).status;
}

const named = { keyProofOrigins: [PUBLIC, INTERNAL] };
const door = { frontDoor: { publicUrl: PUBLIC } };

// OPR-135
describe('KCR-C8, KCR-8', () => {
  test.each<[string, ServerOptions, string, string, number]>([
    ['its address', door, PUBLIC, 'keep.example.com', 200],
    ['its address, whatever the request names', door, PUBLIC, 'keep.internal:8080', 200],
    ['another one that the request names too', door, 'https://evil.example', 'evil.example', 401],
    ['another scheme', door, 'http://keep.example.com', 'keep.example.com', 401],
    ['another port', door, `${PUBLIC}:8443`, 'keep.example.com:8443', 401],
    ['an inner address', door, INTERNAL, 'keep.internal:8080', 401],
    ['an inner address that is named', named, INTERNAL, 'keep.internal:8080', 200],
    ['one of two', named, PUBLIC, 'keep.internal:8080', 200],
    ['none of two', named, 'https://evil.example', 'evil.example', 401],
    ['any that the request names, where none is stated', {}, INTERNAL, 'keep.internal:8080', 200],
    ['another one, where none is stated', {}, INTERNAL, 'keep.example.com', 401],
  ])('%s', async (_title, options, origin, host, status) => {
    expect(await statusFor(options, origin, host)).toBe(status);
  });

  test('an address with a path is none', async () => {
    await using keep = await openKeep({ store: testStore() });
    expect(() => createServer(keep, { keyProofOrigins: [`${PUBLIC}/a`] })).toThrow(TypeError);
  });
});
