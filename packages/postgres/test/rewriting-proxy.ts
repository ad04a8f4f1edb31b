/**
 * A proxy before a database that makes every transaction of a store SERIALIZABLE, as an engine does
 * that knows no weaker isolation.
 */
import { connect, createServer, type Server, type Socket } from 'node:net';

const ASKED = ['ISOLATION LEVEL READ COMMITTED', 'ISOLATION LEVEL REPEATABLE READ'];
const GIVEN = 'ISOLATION LEVEL SERIALIZABLE';

/** A proxy on loopback. */
export class RewritingProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Statements that were changed. */
  rewritten = 0;

  private constructor(target: number) {
    this.#server = createServer((client) => this.#serve(client, connect(target, '127.0.0.1')));
  }

  /** Listens on a free port and forwards to the target port. */
  static async before(target: number): Promise<RewritingProxy> {
    const proxy = new RewritingProxy(target);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  /** The port that it listens on. */
  get port(): number {
    const address = this.#server.address();
    return address === null || typeof address === 'string' ? 0 : address.port;
  }

  /** Cuts all connections. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #serve(client: Socket, database: Socket): void {
    for (const socket of [client, database]) {
      this.#sockets.add(socket);
      const end = (): void => {
        client.destroy();
        database.destroy();
        this.#sockets.delete(socket);
      };
      socket.on('error', end).on('close', end);
    }
    database.pipe(client);
    client.on('data', (chunk) => {
      for (const asked of ASKED) {
        for (let at = chunk.indexOf(asked); at !== -1; at = chunk.indexOf(asked, at)) {
          // As many bytes, since messages state their length.
          chunk.write(GIVEN.padEnd(asked.length), at, 'latin1');
          this.rewritten += 1;
        }
      }
      database.write(chunk);
    });
  }
}
