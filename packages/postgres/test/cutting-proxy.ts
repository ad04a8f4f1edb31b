/**
 * A proxy between a store and its database that cuts connections in the middle of a request, or
 * between a request and its answer.
 */
import { createServer, connect, type Server, type Socket } from 'node:net';

/** Where a connection is cut. */
export type Cut = 'request' | 'answer';

/** A proxy on loopback. */
export class CuttingProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #target: number;
  #next: Cut | undefined;
  /** Number of connections that were cut. */
  cuts = 0;

  private constructor(target: number) {
    this.#target = target;
    this.#server = createServer((client) => this.#serve(client));
  }

  /** Listens on a free port and forwards to the target port. */
  static async before(target: number): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(target);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  /** The port that it listens on. */
  get port(): number {
    const address = this.#server.address();
    return address === null || typeof address === 'string' ? 0 : address.port;
  }

  /** Leads the next connections to another port. */
  leadNextTo(target: number): void {
    this.#target = target;
  }

  /** Cuts all connections, and leads the next ones to another port. */
  leadTo(target: number): void {
    this.leadNextTo(target);
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Cuts the connection of the next request that is as long as a commit. */
  cutNext(cut: Cut): void {
    this.#next = cut;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #serve(client: Socket): void {
    const upstream = connect(this.#target, '127.0.0.1');
    let isCut = false;
    const end = (): void => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      this.#sockets.add(socket);
      socket.on('error', end);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        end();
      });
    }
    client.on('data', (chunk) => {
      const cut = chunk.length > COMMIT_BYTES ? this.#next : undefined;
      if (cut === undefined) return void upstream.write(chunk);
      this.#next = undefined;
      this.cuts += 1;
      isCut = true;
      if (cut === 'answer') return void upstream.write(chunk);
      upstream.write(chunk.subarray(0, chunk.length / 2), end);
    });
    upstream.on('data', (chunk) => {
      // The database has executed the request, but its answer is dropped.
      if (isCut) end();
      else client.write(chunk);
    });
  }
}

/** Requests that are longer than this are commits, in the tests that use this. */
const COMMIT_BYTES = 400;
