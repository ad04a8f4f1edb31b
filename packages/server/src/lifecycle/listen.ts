/** Listens on an address; a failure says what to do. */
import type { Server } from 'node:net';
import { ListenError } from './listen-error.js';

/** An address to listen on; port 0 is any free one. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/**
 * Resolves once the server listens.
 * @throws {ListenError} when the address is not available.
 */
export function listen(server: Server, { host, port }: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      reject(new ListenError({ host, port }, cause));
    });
    server.listen({ host, port }, () => {
      server.removeAllListeners('error');
      resolve();
    });
  });
}
