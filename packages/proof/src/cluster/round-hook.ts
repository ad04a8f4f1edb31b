/**
 * A receiver of webhooks, which notes in which order the changes of each round arrive first.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Receives the messages of all rounds, each at a path of its own. */
export class HookReceiver implements AsyncDisposable {
  readonly url: string;
  readonly #server: ReturnType<typeof createServer>;
  readonly #arrived = new Map<string, Set<string>>();
  /** Changes that arrived more than once. */
  repeats = 0;

  private constructor(server: ReturnType<typeof createServer>, url: string) {
    this.#server = server;
    this.url = url;
    server.on('request', (request, response) => void this.#take(request, response));
  }

  /** Listens at an address. */
  static async listen(address: string): Promise<HookReceiver> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, address, resolve));
    const { port } = server.address() as AddressInfo;
    return new HookReceiver(server, `http://${address}:${String(port)}/`);
  }

  /** The changes of a path in the order of their first arrival, as record and revision. */
  arrivedAt(path: string): string[] {
    return [...(this.#arrived.get(path) ?? [])];
  }

  /** Stops listening. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { data } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as {
        data: { changes: { record_id: string; revision: number }[] };
      };
      const path = request.url ?? '/';
      const arrived = this.#arrived.get(path) ?? new Set();
      this.#arrived.set(path, arrived);
      for (const { record_id, revision } of data.changes) {
        const change = `${record_id} ${String(revision)}`;
        if (arrived.has(change)) this.repeats += 1;
        arrived.add(change);
      }
      response.writeHead(204).end();
    } catch {
      // The sender was killed in the middle of a message.
      response.destroy();
    }
  }
}
