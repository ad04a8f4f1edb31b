/**
 * A connection of an attacker, which sends any bytes and reads nothing unless it is told to.
 */
import { connect, type Socket } from 'node:net';

/** A request as bytes: its headers with part of its body, and the rest. */
export interface RequestBytes {
  readonly head: string;
  readonly body: string;
}

/** Returns the bytes of a request with a document, and with further lines of headers. */
export function postOf(
  path: string,
  secret: string,
  document: object,
  headers: readonly string[] = [],
): RequestBytes {
  const body = JSON.stringify(document);
  const lines = [
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${secret}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...headers,
  ];
  return { head: `${lines.join('\r\n')}\r\n\r\n`, body };
}

/** An open connection. */
export class HostileSocket {
  readonly #socket: Socket;

  private constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** Opens a connection from an address. */
  static async open(url: string, localAddress: string): Promise<HostileSocket> {
    const { hostname: host, port } = new URL(url);
    const socket = connect({ host, port: Number(port), localAddress });
    socket.on('error', () => undefined);
    await new Promise<void>((resolve) => {
      socket.once('connect', resolve).once('close', resolve);
    });
    return new HostileSocket(socket);
  }

  /** Whether it is closed. One that has never read does not notice what the server does. */
  get isClosed(): boolean {
    return this.#socket.destroyed;
  }

  /** Sends bytes without waiting for room. */
  send(bytes: string): void {
    this.#socket.write(bytes);
  }

  /** Reads everything from now on, and drops it. */
  readAll(): void {
    this.#socket.resume();
  }

  /** Reads the beginning of the next answer; returns its status, or 0 if the connection closes. */
  async status(): Promise<number> {
    if (this.isClosed) return 0;
    const text = await new Promise<string>((resolve) => {
      this.#socket.once('data', (chunk: Buffer) => {
        resolve(chunk.toString('latin1'));
      });
      this.#socket.once('close', () => {
        resolve('');
      });
    });
    return Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1] ?? 0);
  }

  /** Sends bytes and leaves as soon as they are sent. */
  async sendAndLeave(bytes: string): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#socket.once('close', resolve);
      this.#socket.write(bytes, () => this.#socket.destroy());
    });
  }

  /** Closes it. */
  leave(): void {
    this.#socket.destroy();
  }
}
