/** A small HTTP load generator over raw sockets, cheaper than the server it loads. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const HEADERS_END = Buffer.from('\r\n\r\n');

/** A request to send repeatedly. */
export interface LoadRequest {
  readonly method: 'GET' | 'POST';
  /** The path, or that of the request with this number. */
  readonly path: string | ((number: number) => string);
  readonly headers: Readonly<Record<string, string>>;
  /** Returns the body of the request with this number; absent for a GET. */
  readonly body?: (number: number) => string;
}

/** Open connections to one server on the loopback address. */
export class Load {
  readonly #sockets: Socket[] = [];
  #sent = 0;

  /** Opens connections. */
  async open(port: number, connections: number): Promise<this> {
    for (let index = 0; index < connections; index++) {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      await once(socket, 'connect');
      // Followed by `close`, which fails the request that is under way.
      socket.on('error', () => undefined);
      this.#sockets.push(socket);
    }
    return this;
  }

  /** Sends `total` requests, one at a time per connection, and checks every status. */
  async run(total: number, request: LoadRequest): Promise<void> {
    let left = total;
    const take = (): string | undefined => (left-- > 0 ? textOf(request, this.#sent++) : undefined);
    await Promise.all(this.#sockets.map((socket) => exchange(socket, take)));
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

function textOf({ method, path, headers, body }: LoadRequest, number: number): string {
  const content = body?.(number) ?? '';
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = method === 'POST' ? `Content-Length: ${String(content.length)}\r\n` : '';
  const target = typeof path === 'string' ? path : path(number);
  return `${method} ${target} HTTP/1.1\r\nHost: localhost\r\n${lines.join('')}${length}\r\n${content}`;
}

/** Sends the next request as soon as a response is complete. */
function exchange(socket: Socket, take: () => string | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    let received: Buffer = Buffer.alloc(0);
    // A large answer arrives in many parts, which are joined once.
    const parts: Buffer[] = [];
    let missing = 0;
    const next = (): void => {
      const text = take();
      if (text === undefined) finish(resolve);
      else socket.write(text);
    };
    const onData = (chunk: Buffer): void => {
      parts.push(chunk);
      missing -= chunk.length;
      if (missing > 0) return;
      received = Buffer.concat([received, ...parts.splice(0)]);
      const size = answerSize(received);
      missing = (size ?? 0) - received.length;
      if (size === undefined || missing > 0) return;
      if (!received.subarray(0, 12).toString('latin1').startsWith('HTTP/1.1 200')) {
        finish(() => reject(new Error(received.toString('utf8'))));
        return;
      }
      received = received.subarray(size);
      next();
    };
    if (socket.destroyed) {
      reject(new Error('The connection was closed while it idled.'));
      return;
    }
    const onClose = (): void => finish(() => reject(new Error('The connection was closed.')));
    const finish = (settle: () => void): void => {
      socket.off('data', onData).off('close', onClose);
      settle();
    };
    socket.on('data', onData).on('close', onClose);
    next();
  });
}

/** Returns the size of the first response in bytes once its headers have arrived. */
function answerSize(bytes: Buffer): number | undefined {
  const end = bytes.indexOf(HEADERS_END);
  if (end === -1) return undefined;
  const length = /content-length: (\d+)/i.exec(bytes.toString('latin1', 0, end))?.[1];
  if (length === undefined) throw new Error('An answer has no Content-Length.');
  return end + HEADERS_END.length + Number(length);
}
