/**
 * A client that reads the beginning of an answer and then no more.
 * @module
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** What it asks for, and as whom. */
export interface Asked {
  readonly url: string;
  readonly path: string;
  readonly secret: string;
  readonly document: string;
}

/** Stalls, and stalls again whenever the server has cut its connection. */
export class StalledClient {
  readonly #asked: Asked;
  #socket: Socket | undefined;
  #stalls = 0;
  #isEnded = false;
  /** Length of the answer that it does not read. */
  answerBytes = 0;

  constructor(asked: Asked) {
    this.#asked = asked;
  }

  /** Resolves once the beginning of the answer is there. */
  async stalls(): Promise<void> {
    const { hostname, port } = new URL(this.#asked.url);
    const socket = connect(Number(port), hostname);
    this.#socket = socket;
    socket.on('error', () => undefined);
    socket.write(requestOf(this.#asked));
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    socket.pause();
    const [, length] = /^content-length: (\d+)/im.exec(chunk.toString('latin1')) ?? [];
    this.answerBytes = Number(length);
    this.#stalls += 1;
    socket.once('close', () => {
      if (!this.#isEnded) void this.stalls().catch(() => undefined);
    });
  }

  /** Ends it; gives how often it stalled. */
  end(): number {
    this.#isEnded = true;
    this.#socket?.destroy();
    return this.#stalls;
  }
}

function requestOf({ path, secret, document }: Asked): string {
  const lines = [
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${secret}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(document)}`,
  ];
  return `${lines.join('\r\n')}\r\n\r\n${document}`;
}
