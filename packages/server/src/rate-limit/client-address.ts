/**
 * Finds the client address of a request, including behind proxies
 * (docs/contract/rate-limits.md#rtl-27).
 */
import { type AddressRanges, canonicalAddress } from './address-ranges.js';

/** What a request reveals of its origin. */
export interface RequestOrigin {
  /** Remote address of the connection; `undefined` for a call from within this process. */
  readonly peer: string | undefined;
  /** `X-Forwarded-For`; repeated headers are joined with commas. */
  readonly forwardedFor: string | undefined;
  /** `X-Real-IP`. */
  readonly realIp: string | undefined;
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

/**
 * Returns the address that a request is counted by: the first entry of `X-Forwarded-For`, else
 * `X-Real-IP`, else the peer's. A header counts only from a trusted proxy or from this process, and
 * only if it has at most 2 KB and holds an IP address. Each address has one spelling; IPv4 mapped
 * into IPv6 becomes IPv4.
 */
export function clientAddress(origin: RequestOrigin, trusted: AddressRanges): string {
  const { peer, forwardedFor, realIp } = origin;
  const connection = peer === undefined ? LOCAL_ADDRESS : peerAddress(peer);
  if (forwardedFor === undefined && realIp === undefined) return connection;
  if (peer !== undefined && !trusted.includes(connection)) return connection;
  return firstForwarded(forwardedFor) ?? forwarded(realIp) ?? connection;
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
