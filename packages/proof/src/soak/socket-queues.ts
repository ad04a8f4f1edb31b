/** How much of an answer the kernel holds for a client that does not read it. */
import { readFile } from 'node:fs/promises';

/** The states and queues of all sockets over IPv4. */
const SOCKETS = '/proc/net/tcp';

/**
 * Returns the bytes in the queues of the connections of a client's port: sent by the server and
 * not acknowledged, and received and not read.
 */
export async function queuedBytes(port: number): Promise<number> {
  const [, ...lines] = (await readFile(SOCKETS, 'utf8')).trim().split('\n');
  let bytes = 0;
  for (const line of lines) {
    const [, local, remote, , queues] = line.trim().split(/\s+/u);
    const [sent, received] = (queues ?? '').split(':').map((hex) => Number.parseInt(hex, 16));
    if (portOf(remote) === port) bytes += sent ?? 0;
    if (portOf(local) === port) bytes += received ?? 0;
  }
  return bytes;
}

function portOf(address: string | undefined): number {
  return Number.parseInt(address?.split(':')[1] ?? '', 16);
}
