/**
 * Finds the client address of a request, also behind proxies (docs/contract/rate-limits.md#rtl-27).
 */
import { BlockList, isIP, isIPv4, SocketAddress } from 'node:net';

/** What a request reveals of its origin. */
export interface RequestOrigin {
  /** Remote address of the connection; `undefined` for a call from within this process. */
  readonly peer: string | undefined;
  /** `X-Forwarded-For`; repeated headers are joined with commas. */
  readonly forwardedFor: string | undefined;
  /** `X-Real-IP`. */
  readonly realIp: string | undefined;
}

/** The proxies whose forwarded headers are trusted. */
export interface TrustedProxies {
  /** Whether an address, in the spelling of {@link clientAddress}, is a trusted proxy. */
  includes(address: string): boolean;
}

/** Loopback and the private ranges of IPv4 and IPv6. */
export const defaultTrustedProxies: readonly string[] = [
  '127.0.0.0/8',
  '::1',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  'fc00::/7',
];

/** The client address of calls from within this process. */
const LOCAL_ADDRESS = 'local';

const FORWARDED_CHARS_MAX = 2_048;
const KNOWN_PEERS_MAX = 1_024;
const MAPPED = '::ffff:';
const MAPPED_BITS = 96;
const ADDRESS_BITS = { ipv4: 32, ipv6: 128 } as const;
const PREFIX_LENGTH = /^(?:0|[1-9]\d{0,2})$/;

type IpVersion = keyof typeof ADDRESS_BITS;
type Proxies = Readonly<Record<IpVersion, BlockList>>;

/**
 * Returns the address that a request is counted by: the first entry of `X-Forwarded-For`, else
 * `X-Real-IP`, else the peer's. A header counts only from a trusted proxy or from this process, and
 * only if it has at most 2 KB and holds an IP address. Each address has one spelling; IPv4 mapped
 * into IPv6 becomes IPv4.
 */
export function clientAddress(origin: RequestOrigin, trusted: TrustedProxies): string {
  const { peer, forwardedFor, realIp } = origin;
  const connection = peer === undefined ? LOCAL_ADDRESS : peerAddress(peer);
  if (forwardedFor === undefined && realIp === undefined) return connection;
  if (peer !== undefined && !trusted.includes(connection)) return connection;
  return firstForwarded(forwardedFor) ?? forwarded(realIp) ?? connection;
}

/**
 * Parses a list of proxies: addresses and CIDR ranges, IPv4 and IPv6.
 * @throws {Error} that quotes the invalid entry.
 */
export function parseTrustedProxies(list: readonly string[]): TrustedProxies {
  // Separate lists: one list would also match IPv4 addresses in IPv6 ranges like ::/0.
  const proxies: Proxies = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const entry of list) addEntry(proxies, entry);
  // Few proxies make most requests, and the look-up costs more than all other steps.
  const known = new Map<string, boolean>();
  return {
    includes(address) {
      const answer = known.get(address);
      if (answer !== undefined) return answer;
      const ipVersion = ipVersionOf(address);
      const isProxy = ipVersion !== undefined && proxies[ipVersion].check(address, ipVersion);
      if (known.size >= KNOWN_PEERS_MAX) known.clear();
      known.set(address, isProxy);
      return isProxy;
    },
  };
}

function addEntry(proxies: Proxies, entry: string): void {
  const [text = '', prefix, ...more] = entry.trim().split('/');
  const address = canonicalAddress(text);
  const ipVersion = address === undefined ? undefined : ipVersionOf(address);
  if (address === undefined || ipVersion === undefined || more.length > 0)
    throw invalidEntry(entry);
  if (prefix === undefined) {
    proxies[ipVersion].addAddress(address, ipVersion);
    return;
  }
  // The prefix length of a mapped IPv4 range counts from the start of the IPv6 address.
  const skippedBits = ipVersion === 'ipv4' && text.includes(':') ? MAPPED_BITS : 0;
  const bits = PREFIX_LENGTH.test(prefix) ? Number(prefix) - skippedBits : -1;
  if (bits < 0 || bits > ADDRESS_BITS[ipVersion]) throw invalidEntry(entry);
  proxies[ipVersion].addSubnet(address, bits, ipVersion);
}

function invalidEntry(entry: string): Error {
  return new Error(
    `Trusted proxy ${JSON.stringify(entry)} is not an IP address or a CIDR range (for example ` +
      '10.0.0.0/8).',
  );
}

function ipVersionOf(address: string): IpVersion | undefined {
  const version = isIP(address);
  if (version === 0) return undefined;
  return version === 4 ? 'ipv4' : 'ipv6';
}

function firstForwarded(header: string | undefined): string | undefined {
  if (header === undefined || header.length > FORWARDED_CHARS_MAX) return undefined;
  const comma = header.indexOf(',');
  return forwarded(comma === -1 ? header : header.slice(0, comma));
}

function forwarded(header: string | undefined): string | undefined {
  if (header === undefined || header.length > FORWARDED_CHARS_MAX) return undefined;
  return canonicalAddress(header.trim());
}

/**
 * Returns the network that one client usually has for itself: an IPv4 address, or the first 64 bits
 * of an IPv6 address.
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [first, last] = address.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const groups = [...(first ?? []), ...(last ?? [])];
  const zeros = Array<string>(Math.max(0, 8 - groups.length)).fill('0');
  return [...(first ?? []), ...zeros, ...(last ?? [])].slice(0, 4).join(':');
}

/**
 * Returns the address of a connection in its one spelling. Operating systems append a zone to
 * link-local peers.
 */
export function peerAddress(peer: string): string {
  const zone = peer.indexOf('%');
  return canonicalAddress(zone === -1 ? peer : peer.slice(0, zone)) ?? peer;
}

/** Returns the one spelling of an IP address without a zone; `undefined` for other texts. */
function canonicalAddress(text: string): string | undefined {
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
