/**
 * Finds the addresses of hosts that tenants choose. `dns.lookup()` would wait in the few threads
 * that files and hashing need too, and cannot be cancelled.
 */
import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addressesInHosts, type HostAddress } from './hosts-file.js';

/** Finds the addresses of a host. Rejects soon after the signal. */
export type ResolveHost = (host: string, signal: AbortSignal) => Promise<readonly HostAddress[]>;

/** The sources of addresses. */
export interface HostAddressOptions {
  /** Name servers, as IP addresses with an optional port. Default: those of the system. */
  readonly servers?: readonly string[];
  /** The file of hosts that is read first. Default: that of the system. */
  readonly hostsFile?: string;
}

/** How long a name server has for its first answer, and how often each server is asked. */
const QUERY = { timeout: 2_000, tries: 2 };

/**
 * Returns a function that finds addresses in the file of hosts, or asks the name servers of the
 * system for A and AAAA records. It adds no search domain.
 */
export function hostAddresses({
  servers,
  hostsFile = systemHostsFile(),
}: HostAddressOptions = {}): ResolveHost {
  return async (host, signal) => {
    const listed = addressesInHosts(await textOf(hostsFile, signal), host);
    return listed.length > 0 ? listed : ask(host, { servers, signal });
  };
}

function systemHostsFile(): string {
  const { platform, env } = process;
  if (platform !== 'win32') return '/etc/hosts';
  return join(env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'drivers', 'etc', 'hosts');
}

/** A system without such a file lists no host. */
async function textOf(path: string, signal: AbortSignal): Promise<string> {
  try {
    return await readFile(path, { encoding: 'utf8', signal });
  } catch {
    signal.throwIfAborted();
    return '';
  }
}

interface Asking {
  readonly servers: readonly string[] | undefined;
  readonly signal: AbortSignal;
}

/** A resolver of its own for each host, so that cancelling ends the queries of this host alone. */
async function ask(host: string, { servers, signal }: Asking): Promise<readonly HostAddress[]> {
  const resolver = new Resolver(QUERY);
  if (servers !== undefined) resolver.setServers(servers);
  const cancel = (): void => {
    resolver.cancel();
  };
  signal.throwIfAborted();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const [four, six] = await Promise.allSettled([
      resolver.resolve4(host),
      resolver.resolve6(host),
    ]);
    // Most hosts have addresses of one family only.
    if (four.status === 'rejected' && six.status === 'rejected') throw four.reason;
    return [...ofFamily(4, four), ...ofFamily(6, six)];
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

function ofFamily(family: 4 | 6, found: PromiseSettledResult<string[]>): HostAddress[] {
  if (found.status === 'rejected') return [];
  return found.value.map((address) => ({ address, family }));
}
