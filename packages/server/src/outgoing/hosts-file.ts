/** Reads the file of hosts of a system: lines with an address, its names, and comments. Pure. */
import { isIP } from 'node:net';

/** An address of a host. */
export interface HostAddress {
  readonly address: string;
  /** 4 or 6. */
  readonly family: number;
}

/** Every system knows this name, whether or not its file lists it (RFC 6761). */
const LOCALHOST = /(?:^|\.)localhost$/u;

/** Returns the addresses that a file lists for a host, in its order. */
export function addressesInHosts(text: string, host: string): readonly HostAddress[] {
  const name = nameOf(host);
  const found: HostAddress[] = [];
  for (const line of text.toLowerCase().split('\n')) {
    // Files that block hosts have very many lines.
    if (!line.includes(name)) continue;
    const [address = '', ...names] = line.replace(/#.*/u, '').trim().split(/\s+/u);
    const family = isIP(address);
    if (family !== 0 && names.some((each) => nameOf(each) === name)) {
      found.push({ address, family });
    }
  }
  if (found.length === 0 && LOCALHOST.test(name)) return [{ address: '127.0.0.1', family: 4 }];
  return found;
}

/** Names are compared without regard to case and to the final dot. */
function nameOf(host: string): string {
  return host.toLowerCase().replace(/\.$/u, '');
}
