/** Finds out whether an address can be listened on, before anything is stored. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { type Address, listen } from './listen.js';

/**
 * Listens for a moment and stops again.
 * @throws {ListenError} when the address is not available.
 */
export async function tryAddress(address: Address): Promise<void> {
  const server = createServer();
  await listen(server, address);
  const closed = once(server, 'close');
  server.close();
  await closed;
}
