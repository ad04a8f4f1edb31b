/**
 * A relay between a store and its database that delays what passes, and counts how often one side
 * had to wait for the other.
 */
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A relay on loopback. */
export class DelayingRelay implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Milliseconds of a round trip through the relay, half of them in each direction. */
  roundTripMs = 0;
  /** Requests that began after everything asked before was answered, on all connections. */
  exchanges = 0;

  private constructor(target: number) {
    this.#server = createServer((client) => this.#relay(client, connect(target, '127.0.0.1')));
  }

  /** Listens on a free port and forwards to the database of a URL. */
  static async before(url: string): Promise<DelayingRelay> {
    const relay = new DelayingRelay(Number(new URL(url).port));
    await new Promise<void>((resolve) => relay.#server.listen(0, '127.0.0.1', resolve));
    return relay;
  }

  /** Returns the same URL through the relay. */
  urlOf(target: string): string {
    const address = this.#server.address();
    const url = new URL(target);
    url.port = String(address === null || typeof address === 'string' ? 0 : address.port);
    return url.href;
  }

  /** Cuts all connections. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #relay(client: Socket, database: Socket): void {
    let isAsking = false;
    this.#forward(client, database, () => {
      if (!isAsking) this.exchanges += 1;
      isAsking = true;
    });
    this.#forward(database, client, () => {
      isAsking = false;
    });
  }

  #forward(from: Socket, to: Socket, note: () => void): void {
    this.#sockets.add(from);
    from.setNoDelay(true);
    const end = (): void => {
      this.#sockets.delete(from);
      to.destroy();
    };
    from.on('error', end).on('close', end);
    from.on('data', (chunk) => {
      note();
      const pass = (): void => {
        if (!to.destroyed) to.write(chunk);
      };
      if (this.roundTripMs === 0) pass();
      // Timers of one length end in the order in which they began.
      else setTimeout(pass, this.roundTripMs / 2);
    });
  }
}
