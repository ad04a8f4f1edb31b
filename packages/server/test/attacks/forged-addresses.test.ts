/**
 * Forged addresses: headers from untrusted peers change nothing (ASVS 4.1.3), whatever their
 * content and number.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { inMemoryStore, openKeep } from '@agentkeep/core';
import { RateLimiter } from '@agentkeep/core/operator';
import { expect, test } from 'vitest';
import { appOf, type Reply, send } from '@agentkeep/contract-cases/http-driver';
import { parseAddressRanges } from '../../src/rate-limit/address-ranges.js';
import { clientAddress } from '../../src/rate-limit/client-address.js';

const PEER = '203.0.113.7';
const LIMIT = 50;

const policy = {
  id: 'p',
  name: 'p',
  endpointType: 'GeneralApi',
  maxRequests: LIMIT,
  windowSecs: 86_400,
  enabled: true,
  createdAtMillis: 0,
  updatedAtMillis: 0,
  createdBy: 'system',
} as const;

/** Addresses that clients claim. */
const CLAIMS = [
  '198.51.100.1',
  '127.0.0.1',
  '::1',
  '10.0.0.1, 203.0.113.9',
  '::ffff:127.0.0.1',
  '[2001:db8::1]:443',
  'unknown',
  '_hidden',
  '"127.0.0.1"',
  '127.0.0.1:80',
  '0x7f.1',
  '2130706433',
  '0177.0.0.1',
  ' ',
  ',,,',
  '1.2.3.4\t',
  '1.2.3.4,'.repeat(500),
  'é',
];

test('a peer that is no proxy is counted as itself, whatever its headers say', async () => {
  await using keep = await openKeep({ store: inMemoryStore(), audit: { reads: true } });
  const app = appOf(keep, { rateLimitPolicies: [policy] });
  const remaining = async (headers: Record<string, string>): Promise<number> => {
    const reply: Reply = await send(app, 'GET', '/nowhere', { from: PEER, headers });
    return Number(reply.headers.get('x-ratelimit-remaining'));
  };
  let left = LIMIT;
  for (const claim of CLAIMS) {
    for (const name of ['X-Forwarded-For', 'X-Real-IP']) {
      left -= 1;
      expect(await remaining({ [name]: claim }), `${name}: ${claim}`).toBe(left);
    }
  }
  for (const name of ['Forwarded', 'X-Client-IP', 'True-Client-IP', 'CF-Connecting-IP', 'Via']) {
    left -= 1;
    expect(await remaining({ [name]: 'for=127.0.0.1' }), name).toBe(left);
  }
});

test('a trusted proxy can forward an address and nothing else', () => {
  const trusted = parseAddressRanges(['10.0.0.0/8', '2001:db8:1::/48']);
  const from = (forwardedFor: string, peer = '10.1.1.1'): string =>
    clientAddress({ peer, forwardedFor, realIp: undefined }, trusted);
  for (const spelling of ['2001:db8::1', '2001:DB8:0:0:0:0:0:1', '2001:0db8::0001']) {
    expect(from(spelling), spelling).toBe('2001:db8::1');
  }
  expect(from('::ffff:198.51.100.1')).toBe('198.51.100.1');
  expect(from('::FFFF:c633:6401')).toBe('198.51.100.1');
  const garbage = [
    ...['[2001:db8::1]', '2001:db8::1%eth0', '198.51.100.1:80', '198.51.100', '1.2.3.4.5', '::g'],
    ...['0x7f.1', '0177.0.0.1', '2130706433', "1.2.3.4'--", '1.2.3.4\u0000', '\u0661.2.3.4'],
    ...['__proto__', 'constructor', 'null', '', '-1', '1.2.3.256', '1'.repeat(5_000)],
  ];
  for (const claim of garbage) expect(from(claim), claim).toBe('10.1.1.1');
  // Only the first entry counts; the rest is ignored.
  expect(from('garbage, 198.51.100.1')).toBe('10.1.1.1');
});

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test('RTL-29 forged addresses beyond the size of the table free no limited client, at bounded memory', () => {
  const limiter = new RateLimiter([policy], { monotonic: () => 0 });
  for (let taken = 0; taken <= LIMIT; taken += 1) limiter.take('/nowhere', PEER);
  expect(limiter.take('/nowhere', PEER).type).toBe('refused');
  const trusted = parseAddressRanges(['10.0.0.0/8']);
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let forged = 0; forged < 200_000; forged += 1) {
    const [high, middle, low] = [forged >> 16, (forged >> 8) & 255, forged & 255];
    const forwardedFor = `198.${high}.${middle}.${low}`;
    const peer = `10.0.${middle & 1}.${low}`;
    limiter.take('/nowhere', clientAddress({ peer, forwardedFor, realIp: undefined }, trusted));
  }
  collectGarbage();
  const grownMb = (process.memoryUsage().heapUsed - before) / 1_048_576;
  // 100,000 clients are remembered, at about 300 bytes each. The test of the table tries a million.
  expect(grownMb).toBeLessThan(100);
  expect(limiter.take('/nowhere', PEER).type).toBe('refused');
});
