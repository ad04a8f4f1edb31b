/**
 * A client that reads the beginning of an answer and then stops reading.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { queuedBytes } from './socket-queues.js';

/** Its request and secret. */
export interface StalledRequest {
  readonly url: string;
  readonly path: string;
  readonly secret: string;
  readonly document: string;
}

/** Stalls, and repeats that whenever the server cuts its connection. */
export class StalledClient {
  readonly #request: StalledRequest;
  #socket: Socket | undefined;
  #stalls = 0;
  #isEnded = false;
  #answerBytes = 0;
  #readBytes = 0;

  constructor(request: StalledRequest) {
    this.#request = request;
  }

  /** Resolves once the beginning of the answer has arrived. */
  async stalls(): Promise<void> {
    const { hostname, port } = new URL(this.#request.url);
    const socket = connect(Number(port), hostname);
    this.#socket = socket;
    socket.on('error', () => undefined);
    socket.write(requestOf(this.#request));
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    socket.pause();
    const [, length] = /^content-length: (\d+)/im.exec(chunk.toString('latin1')) ?? [];
    this.#answerBytes = Number(length);
    this.#readBytes = chunk.length;
    this.#stalls += 1;
    socket.once('close', () => {
      if (!this.#isEnded) void this.stalls().catch(() => undefined);
    });
  }

  /** Returns how much of the answer the server still holds; the kernel has the rest. */
  async heldBytes(): Promise<number> {
    const queued = await queuedBytes(this.#socket?.localPort ?? 0);
    return this.#answerBytes - this.#readBytes - queued;
  }

  /** Ends the client. Returns the number of stalls. */
  end(): number {
    this.#isEnded = true;
    this.#socket?.destroy();
    return this.#stalls;
  }
}

function requestOf({ path, secret, document }: StalledRequest): string {
  const lines = [
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${secret}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(document)}`,
  ];
  return `${lines.join('\r\n')}\r\n\r\n${document}`;
}
