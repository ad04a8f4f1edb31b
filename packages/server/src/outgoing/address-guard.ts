/**
 * Decides which addresses the server may call (docs/contract/webhooks.md#hok-31). Tenants choose
 * the names of hosts, so nothing inside the own network may be reached.
 */
import { BlockList, isIPv4 } from 'node:net';
import { parseAddressRanges } from '../rate-limit/address-ranges.js';

/** The special ranges of IPv4 (IANA registry of special-purpose addresses). */
const specialIpv4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
];

/** Global unicast addresses of IPv6; all others are special. */
const globalIpv6 = ['2000::/3'];

/** The special ranges within {@link globalIpv6}, including those that carry IPv4 addresses. */
const specialIpv6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

/** Decides about addresses. */
export interface AddressGuard {
  /** Whether an address may be called. */
  readonly permits: (address: string) => boolean;
  /** Whether the operator listed an address. */
  readonly lists: (address: string) => boolean;
}

/** Permits public addresses, and those that the operator lists: addresses and CIDR ranges. */
export function addressGuard(listed: readonly string[]): AddressGuard {
  const ranges = parseAddressRanges(listed);
  const lists = (address: string): boolean => ranges.includes(address);
  return { lists, permits: (address) => lists(address) || isPublic(address) };
}

const special = blockListOf([...specialIpv4, ...specialIpv6]);
const global = blockListOf(globalIpv6);

function isPublic(address: string): boolean {
  if (isIPv4(address)) return !special.check(address, 'ipv4');
  return global.check(address, 'ipv6') && !special.check(address, 'ipv6');
}

function blockListOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', bits] = range.split('/');
    list.addSubnet(network, Number(bits), isIPv4(network) ? 'ipv4' : 'ipv6');
  }
  return list;
}
