/**
 * From which address a request comes, behind proxies too (contract, accounts-security 7).
 * @module
 */
import { BlockList, isIP, isIPv4, SocketAddress } from 'node:net';

/** What a request says of its origin. */
export interface RequestOrigin {
  /** Address at the other end of the connection; without one, the call comes from this process. */
  readonly peer: string | undefined;
  /** `X-Forwarded-For`; several headers are joined with commas. */
  readonly forwardedFor: string | undefined;
  /** `X-Real-IP`. */
  readonly realIp: string | undefined;
}

/** Connections whose word on the client's address is believed. */
export interface TrustedProxies {
  /** Whether an address, written as {@link clientAddress} writes it, is that of a proxy. */
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

/** The client address of a call from within this process. */
const LOCAL_ADDRESS = 'local';

const FORWARDED_CHARS_MAX = 2_048;
const KNOWN_PEERS_MAX = 1_024;
const MAPPED = '::ffff:';
const MAPPED_BITS = 96;
const ADDRESS_BITS = { ipv4: 32, ipv6: 128 } as const;
const PREFIX_LENGTH = /^(?:0|[1-9]\d{0,2})$/;

type Family = keyof typeof ADDRESS_BITS;
type Proxies = Readonly<Record<Family, BlockList>>;

/**
 * The address that a request is counted by: the first entry of `X-Forwarded-For`, else `X-Real-IP`,
 * else the peer's. A header counts only from a trusted proxy or from this process, and only if it
 * has at most 2 KB and names an IP address. One address has one spelling; IPv4 in IPv6 is IPv4.
 */
export function clientAddress(origin: RequestOrigin, trusted: TrustedProxies): string {
  const { peer, forwardedFor, realIp } = origin;
  const connection = peer === undefined ? LOCAL_ADDRESS : peerAddress(peer);
  if (forwardedFor === undefined && realIp === undefined) return connection;
  if (peer !== undefined && !trusted.includes(connection)) return connection;
  return firstForwarded(forwardedFor) ?? forwarded(realIp) ?? connection;
}

/**
 * Reads a list of proxies: addresses and CIDR ranges, IPv4 and IPv6.
 * @throws {Error} that quotes the entry which is neither.
 */
export function parseTrustedProxies(list: readonly string[]): TrustedProxies {
  // Apart, since one list would also find an IPv4 address in ranges of IPv6 such as ::/0.
  const proxies: Proxies = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const entry of list) addEntry(proxies, entry);
  // The same few proxies ask again and again, and the look-up is slower than the rest of the work.
  const known = new Map<string, boolean>();
  return {
    includes(address) {
      const answer = known.get(address);
      if (answer !== undefined) return answer;
      const family = familyOf(address);
      const isProxy = family !== undefined && proxies[family].check(address, family);
      if (known.size >= KNOWN_PEERS_MAX) known.clear();
      known.set(address, isProxy);
      return isProxy;
    },
  };
}

function addEntry(proxies: Proxies, entry: string): void {
  const [text = '', prefix, ...more] = entry.trim().split('/');
  const address = canonicalAddress(text);
  const family = address === undefined ? undefined : familyOf(address);
  if (address === undefined || family === undefined || more.length > 0) throw invalidEntry(entry);
  if (prefix === undefined) {
    proxies[family].addAddress(address, family);
    return;
  }
  // A range of IPv4 that is written as IPv6 counts its bits from the start of the IPv6 address.
  const skippedBits = family === 'ipv4' && text.includes(':') ? MAPPED_BITS : 0;
  const bits = PREFIX_LENGTH.test(prefix) ? Number(prefix) - skippedBits : -1;
  if (bits < 0 || bits > ADDRESS_BITS[family]) throw invalidEntry(entry);
  proxies[family].addSubnet(address, bits, family);
}

function invalidEntry(entry: string): Error {
  return new Error(
    `Trusted proxy ${JSON.stringify(entry)} is neither an IP address nor a CIDR range such as 10.0.0.0/8.`,
  );
}

function familyOf(address: string): Family | undefined {
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

/** Peers are named by the operating system, with the zone of a link-local address. */
function peerAddress(peer: string): string {
  const zone = peer.indexOf('%');
  return canonicalAddress(zone === -1 ? peer : peer.slice(0, zone)) ?? peer;
}

/** The one spelling of an IP address without a zone; undefined for anything else. */
function canonicalAddress(text: string): string | undefined {
  if (isIPv4(text)) return text;
  if (isIP(text) === 0 || text.includes('%')) return undefined;
  // How a dual-stack socket names its IPv4 peers: no need to parse it in full.
  if (text.startsWith(MAPPED) && isIPv4(text.slice(MAPPED.length))) {
    return text.slice(MAPPED.length);
  }
  const { address } = new SocketAddress({ address: text, family: 'ipv6' });
  const mapped = address.startsWith(MAPPED) ? address.slice(MAPPED.length) : '';
  return isIPv4(mapped) ? mapped : address;
}
