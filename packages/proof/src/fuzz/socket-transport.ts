/** Sends requests as bytes on a real connection, without any normalization. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { WireRequest } from './draft.js';
import type { Answer, Transport } from './transport.js';

const CRLF = '\r\n';
const HEAD_END = `${CRLF}${CRLF}`;
/** Most milliseconds to wait for an answer. */
const SILENCE_MS = 10_000;

/** Returns a transport to a server on this machine. Reuses one connection while it is open. */
export function socketTransport(port: number): Transport {
  let connection: Connection | undefined;
  return {
    isSocket: true,
    async send(request) {
      if (connection === undefined || !connection.isOpen) connection = await Connection.to(port);
      const answer = await connection.exchange(bytesOf(request), request.method === 'HEAD');
      // After malformed bytes, client and server may disagree about the position in the stream.
      if (request.raw !== undefined || answer.headers.get('connection') === 'close')
        connection.end();
      return answer;
    },
    close() {
      connection?.end();
      return Promise.resolve();
    },
  };
}

/** Encodes a request as a client does. */
export function bytesOf({ method, target, headers, body, raw }: WireRequest): Uint8Array {
  if (raw !== undefined) return raw;
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'Host: localhost',
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : [`Content-Length: ${body.length}`]),
  ];
  const head = Buffer.from(`${lines.join(CRLF)}${HEAD_END}`, 'latin1');
  return body === undefined ? head : Buffer.concat([head, body]);
}

class Connection {
  readonly #socket: Socket;
  #heard = Buffer.alloc(0);
  #isEnded = false;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.setTimeout(SILENCE_MS, () => socket.destroy());
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      this.#heard = Buffer.concat([this.#heard, chunk]);
      socket.emit('progress');
    });
    socket.on('close', () => {
      this.#isEnded = true;
      socket.emit('progress');
    });
  }

  static async to(port: number): Promise<Connection> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new Connection(socket);
  }

  get isOpen(): boolean {
    return !this.#isEnded && this.#socket.writable;
  }

  end(): void {
    this.#isEnded = true;
    this.#socket.destroy();
  }

  async exchange(bytes: Uint8Array, isHead: boolean): Promise<Answer> {
    const startedMs = performance.now();
    this.#heard = Buffer.alloc(0);
    this.#socket.write(bytes);
    for (;;) {
      const answer = parsed(this.#heard, isHead);
      if (answer !== undefined) return { ...answer, durationMs: performance.now() - startedMs };
      if (this.#isEnded) return { ...NO_ANSWER, durationMs: performance.now() - startedMs };
      await once(this.#socket, 'progress');
    }
  }
}

/** Represents a connection that ended without an answer. */
const NO_ANSWER = { status: 0, headers: new Headers(), text: '' };

/** Parses the answer at the start of the bytes; `undefined` while it is incomplete. */
function parsed(heard: Buffer, isHead: boolean): Omit<Answer, 'durationMs'> | undefined {
  const headEnd = heard.indexOf(HEAD_END);
  if (headEnd === -1) return undefined;
  const [first = '', ...lines] = heard.subarray(0, headEnd).toString('latin1').split(CRLF);
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(':');
    headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  const start = headEnd + HEAD_END.length;
  const end = start + (isHead ? 0 : Number(headers.get('content-length') ?? 0));
  if (heard.length < end) return undefined;
  return {
    status: Number(first.split(' ')[1]),
    headers,
    text: heard.subarray(start, end).toString(),
  };
}
