/** Lists of IP addresses and CIDR ranges. */
import { BlockList, isIP, isIPv4, SocketAddress } from 'node:net';

/** A list of addresses and ranges. */
export interface AddressRanges {
  /** Whether an address, in the spelling of {@link canonicalAddress}, is in the list. */
  includes(address: string): boolean;
}

const KNOWN_ADDRESSES_MAX = 1_024;
const MAPPED = '::ffff:';
const MAPPED_BITS = 96;
const ADDRESS_BITS = { ipv4: 32, ipv6: 128 } as const;
const PREFIX_LENGTH = /^(?:0|[1-9]\d{0,2})$/;

type IpVersion = keyof typeof ADDRESS_BITS;
type Lists = Readonly<Record<IpVersion, BlockList>>;

/**
 * Parses a list of addresses and CIDR ranges, IPv4 and IPv6.
 * @throws {Error} that quotes the invalid entry.
 */
export function parseAddressRanges(list: readonly string[]): AddressRanges {
  // Separate lists: one list would also match IPv4 addresses in IPv6 ranges like ::/0.
  const lists: Lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const entry of list) addEntry(lists, entry);
  // A few addresses are looked up repeatedly, and a look-up costs more than the rest of a call.
  const known = new Map<string, boolean>();
  return {
    includes(address) {
      const answer = known.get(address);
      if (answer !== undefined) return answer;
      const ipVersion = ipVersionOf(address);
      const isIn = ipVersion !== undefined && lists[ipVersion].check(address, ipVersion);
      if (known.size >= KNOWN_ADDRESSES_MAX) known.clear();
      known.set(address, isIn);
      return isIn;
    },
  };
}

function addEntry(lists: Lists, entry: string): void {
  const [text = '', prefix, ...more] = entry.trim().split('/');
  const address = canonicalAddress(text);
  const ipVersion = address === undefined ? undefined : ipVersionOf(address);
  if (address === undefined || ipVersion === undefined || more.length > 0)
    throw invalidEntry(entry);
  if (prefix === undefined) {
    lists[ipVersion].addAddress(address, ipVersion);
    return;
  }
  // The prefix length of a mapped IPv4 range counts from the start of the IPv6 address.
  const skippedBits = ipVersion === 'ipv4' && text.includes(':') ? MAPPED_BITS : 0;
  const bits = PREFIX_LENGTH.test(prefix) ? Number(prefix) - skippedBits : -1;
  if (bits < 0 || bits > ADDRESS_BITS[ipVersion]) throw invalidEntry(entry);
  lists[ipVersion].addSubnet(address, bits, ipVersion);
}

function invalidEntry(entry: string): Error {
  return new Error(
    `${JSON.stringify(entry)} is not an IP address or a CIDR range (for example 10.0.0.0/8).`,
  );
}

function ipVersionOf(address: string): IpVersion | undefined {
  const version = isIP(address);
  if (version === 0) return undefined;
  return version === 4 ? 'ipv4' : 'ipv6';
}

/** Returns the one spelling of an IP address without a zone; `undefined` for other texts. */
export function canonicalAddress(text: string): string | undefined {
  if (isIPv4(text)) return text;
  if (isIP(text) === 0 || text.includes('%')) return undefined;
  // The usual form of IPv4 peers on a dual-stack socket needs no full parse.
  if (text.startsWith(MAPPED) && isIPv4(text.slice(MAPPED.length))) {
    return text.slice(MAPPED.length);
  }
  const { address } = new SocketAddress({ address: text, family: 'ipv6' });
  const mapped = address.startsWith(MAPPED) ? address.slice(MAPPED.length) : '';
  return isIPv4(mapped) ? mapped : address;
}
