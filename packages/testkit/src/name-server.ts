/** A name server on loopback that knows some names, and says nothing about all others. */
import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';

const HEADER_BYTES = 12;
const IPV4 = 1;

/** Answers for the names that it is given with 127.0.0.1 and no IPv6 address. */
export class NameServer implements AsyncDisposable {
  readonly #socket = createSocket('udp4');
  readonly #known: readonly string[];
  /** The names that were asked for, once for each query. */
  readonly asked: string[] = [];

  constructor(known: readonly string[]) {
    this.#known = known;
    this.#socket.on('message', (query, from) => {
      this.#answer(query, from);
    });
  }

  /** Starts it; returns its address and port. */
  async listen(): Promise<string> {
    this.#socket.bind(0, '127.0.0.1');
    await once(this.#socket, 'listening');
    return `127.0.0.1:${this.#socket.address().port}`;
  }

  #answer(query: Buffer, { port, address }: RemoteInfo): void {
    const labels: string[] = [];
    let at = HEADER_BYTES;
    for (let size = query[at] ?? 0; size > 0; size = query[at] ?? 0) {
      labels.push(query.subarray(at + 1, at + 1 + size).toString('latin1'));
      at += size + 1;
    }
    const name = labels.join('.');
    this.asked.push(name);
    if (!this.#known.includes(name)) return;
    // After the name come its type and its class, of two bytes each.
    const question = query.subarray(HEADER_BYTES, at + 5);
    const isIpv4 = query[at + 2] === IPV4;
    const id = query.subarray(0, 2);
    const header = Buffer.from([0x81, 0x80, 0, 1, 0, isIpv4 ? 1 : 0, 0, 0, 0, 0]);
    const found = [0xc0, HEADER_BYTES, 0, IPV4, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1];
    const answer = isIpv4 ? Buffer.from(found) : Buffer.alloc(0);
    this.#socket.send(Buffer.concat([id, header, question, answer]), port, address);
  }

  /** Stops it. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.close();
    await once(this.#socket, 'close');
  }
}
