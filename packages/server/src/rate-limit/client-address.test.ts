/** Which address a request is counted by. */
import { describe, expect, it } from 'vitest';
import { parseAddressRanges } from './address-ranges.js';
import { clientAddress, defaultTrustedProxies, type RequestOrigin } from './client-address.js';

const usual = parseAddressRanges(defaultTrustedProxies);
const PROXY = '10.1.2.3';

function addressOf(origin: Partial<RequestOrigin>, trusted = usual): string {
  const silent = { peer: undefined, forwardedFor: undefined, realIp: undefined };
  return clientAddress({ ...silent, ...origin }, trusted);
}

describe('clientAddress', () => {
  it('uses the first forwarded entry, then X-Real-IP, then the connection', () => {
    const forwardedFor = ' 203.0.113.9 , 198.51.100.1';
    const realIp = ' 198.51.100.7 ';
    expect(addressOf({ peer: PROXY, forwardedFor, realIp })).toBe('203.0.113.9');
    expect(addressOf({ peer: PROXY, realIp })).toBe('198.51.100.7');
    expect(addressOf({ peer: PROXY })).toBe(PROXY);
  });

  it('ignores the headers of untrusted connections', () => {
    const headers = { forwardedFor: '203.0.113.9', realIp: '198.51.100.7' };
    expect(addressOf({ peer: '192.0.2.1', ...headers })).toBe('192.0.2.1');
    expect(addressOf({ peer: '2001:db8::5', ...headers })).toBe('2001:db8::5');
    expect(addressOf({ peer: '127.0.0.1', ...headers }, parseAddressRanges([]))).toBe('127.0.0.1');
  });

  it('trusts calls from this process and calls them local', () => {
    expect(addressOf({})).toBe('local');
    expect(addressOf({ forwardedFor: '203.0.113.9' })).toBe('203.0.113.9');
    expect(addressOf({ forwardedFor: '203.0.113.9' }, parseAddressRanges([]))).toBe('203.0.113.9');
  });

  it.each([
    '',
    ' ',
    'unknown',
    '_hidden',
    '203.0.113.256',
    '203.0.113',
    '0203.0.113.9',
    '203.0.113.9:443',
    '[2001:db8::1]',
    '[2001:db8::1]:443',
    'fe80::1%eth0',
    '203.0.113.9 198.51.100.1',
    '"203.0.113.9"',
    'local',
  ])('ignores the entry %j, which is not an IP address', (entry) => {
    expect(addressOf({ peer: PROXY, forwardedFor: entry, realIp: '198.51.100.7' })).toBe(
      '198.51.100.7',
    );
    expect(addressOf({ peer: PROXY, forwardedFor: `${entry}, 203.0.113.9` })).toBe(PROXY);
    expect(addressOf({ peer: PROXY, realIp: entry })).toBe(PROXY);
  });

  it('ignores headers over 2 KB', () => {
    const first = '203.0.113.9,';
    const filled = first + ' '.repeat(2_048 - first.length);
    expect(addressOf({ peer: PROXY, forwardedFor: filled })).toBe('203.0.113.9');
    expect(addressOf({ peer: PROXY, forwardedFor: `${filled} ` })).toBe(PROXY);
    expect(addressOf({ peer: PROXY, realIp: `203.0.113.9${' '.repeat(2_048)}` })).toBe(PROXY);
  });

  it.each([
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['::FFFF:203.0.113.9', '203.0.113.9'],
    ['0:0:0:0:0:ffff:203.0.113.9', '203.0.113.9'],
    ['::ffff:cb00:7109', '203.0.113.9'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['2001:0db8::0001', '2001:db8::1'],
  ])('writes %s as %s', (written, address) => {
    expect(addressOf({ peer: written })).toBe(address);
    expect(addressOf({ peer: PROXY, forwardedFor: written })).toBe(address);
    expect(addressOf({ peer: PROXY, realIp: written })).toBe(address);
  });

  it('removes the zone of a link-local peer', () => {
    expect(addressOf({ peer: 'fe80::1%eth0' })).toBe('fe80::1');
    const linkLocal = parseAddressRanges(['fe80::/10']);
    expect(addressOf({ peer: 'fe80::1%eth0', forwardedFor: '203.0.113.9' }, linkLocal)).toBe(
      '203.0.113.9',
    );
  });
});

describe('parseAddressRanges', () => {
  const believes = (list: readonly string[], peer: string): boolean =>
    addressOf({ peer, realIp: '203.0.113.9' }, parseAddressRanges(list)) === '203.0.113.9';

  it.each([
    '127.0.0.1',
    '127.255.255.255',
    '::1',
    '::ffff:127.0.0.1',
    '10.0.0.0',
    '10.255.255.255',
    '172.16.0.0',
    '172.31.255.255',
    '192.168.0.0',
    '192.168.255.255',
    'fc00::1',
    'fdff:ffff::1',
  ])('trusts %s by default', (peer) => {
    expect(believes(defaultTrustedProxies, peer)).toBe(true);
  });

  it.each([
    '126.255.255.255',
    '128.0.0.0',
    '9.255.255.255',
    '11.0.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '192.169.0.0',
    '169.254.1.1',
    '100.64.0.1',
    '::',
    '::2',
    'fbff::1',
    'fe00::1',
    'a name',
  ])('does not trust %s by default', (peer) => {
    expect(believes(defaultTrustedProxies, peer)).toBe(false);
  });

  it.each([
    ['192.0.2.4', '192.0.2.4', '192.0.2.5'],
    [' 192.0.2.4 ', '192.0.2.4', '192.0.2.5'],
    ['192.0.2.4/31', '192.0.2.5', '192.0.2.6'],
    ['192.0.2.4/32', '::ffff:192.0.2.4', '192.0.2.5'],
    ['0.0.0.0/0', '203.0.113.1', '2001:db8::1'],
    ['::/0', '2001:db8::1', '203.0.113.1'],
    ['::ffff:192.0.2.4', '192.0.2.4', '192.0.2.5'],
    ['::ffff:192.0.2.0/120', '192.0.2.255', '192.0.3.0'],
    ['2001:DB8::/32', '2001:db8:ffff::1', '2001:db9::1'],
    ['2001:db8::1/128', '2001:0db8::1', '2001:db8::2'],
  ])('reads %j: %s is in it, %s is not', (entry, inside, outside) => {
    expect(believes([entry], inside)).toBe(true);
    expect(believes([entry], outside)).toBe(false);
  });

  it.each([
    '',
    'localhost',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/08',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0.0/8',
    '::/129',
    '::ffff:10.0.0.0/95',
    'fe80::1%eth0',
    '10.0.0.1-10.0.0.9',
  ])('refuses %j and says so', (entry) => {
    const quoted = JSON.stringify(entry);
    expect(() => parseAddressRanges(['10.0.0.0/8', entry])).toThrow(
      `${quoted} is not an IP address or a CIDR range`,
    );
  });

  it('gives the same answers beyond the size of its cache', () => {
    const trusted = parseAddressRanges(['10.0.0.0/23']);
    for (let round = 0; round < 2; round++) {
      for (let host = 0; host < 2_000; host++) {
        const address = `10.0.${host >> 8}.${host & 255}`;
        expect(trusted.includes(address)).toBe(host < 512);
      }
    }
  });
});
