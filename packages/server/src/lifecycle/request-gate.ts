/** Feeds the HTTP parser of one connection with one request at a time. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Bytes that the parser gets at once while it waits for a request. Node.js parses every request in
 * them, so this bounds how many a client can have parsed ahead.
 */
const SLICE_BYTES = 1_024;

/** Bytes of later requests that are kept; beyond them the socket is not read. */
const HELD_BYTES_MAX = 65_536;

type Feed = (chunk: Buffer) => void;

/**
 * Stands between a socket and the parser of Node.js, which would otherwise parse all requests that
 * a client sends ahead. Later requests wait unparsed until the current one is answered. The socket
 * is still read up to a bound, so that a disconnect of the client is noticed.
 */
export class RequestGate {
  readonly #socket: Socket;
  readonly #isBusy: () => boolean;
  readonly #feeds: readonly Feed[];
  #held: Buffer[] = [];
  #heldBytes = 0;
  #isPaused = false;
  #isClosed = false;
  /** A request whose body is arriving, and the least number of its missing bytes. */
  #arriving: { readonly incoming: IncomingMessage; bytes: number } | undefined;

  /** `isBusy` tells whether a whole request waits for its answer. */
  constructor(socket: Socket, isBusy: () => boolean) {
    this.#socket = socket;
    this.#isBusy = isBusy;
    this.#feeds = socket.listeners('data') as Feed[];
    socket.on('data', (chunk: Buffer) => {
      this.#take(chunk);
    });
    for (const feed of this.#feeds) socket.off('data', feed);
    // Node.js also pauses a socket whose data it cannot pass on, and resumes it later.
    socket.on('resume', () => {
      this.#isPaused = false;
      this.#drain();
    });
  }

  /** Notes that the parser has read the headers of a request. */
  began(incoming: IncomingMessage): void {
    const length = Number(incoming.headers['content-length'] ?? 0);
    this.#arriving = { incoming, bytes: length - SLICE_BYTES };
  }

  /** Lets the next request through once the current one is answered. */
  next(): void {
    if (this.#isPaused) this.#socket.resume();
    else this.#drain();
  }

  /** Drops unparsed input, and all further input. */
  close(): void {
    this.#isClosed = true;
    this.#held = [];
    this.#heldBytes = 0;
  }

  #drain(): void {
    const waiting = this.#held;
    this.#held = [];
    this.#heldBytes = 0;
    for (const chunk of waiting) this.#take(chunk);
  }

  #take(chunk: Buffer): void {
    if (this.#held.length > 0) this.#hold(chunk);
    else this.#feed(chunk);
  }

  #feed(chunk: Buffer): void {
    let rest = chunk;
    // Node.js gives the parser of a destroyed socket to another socket.
    while (rest.length > 0 && !this.#isClosed && !this.#socket.destroyed) {
      if (this.#isBusy() || this.#socket.isPaused()) {
        this.#hold(rest);
        return;
      }
      const sliceBytes = this.#sliceBytes();
      const slice = rest.length > sliceBytes ? rest.subarray(0, sliceBytes) : rest;
      rest = rest.subarray(slice.length);
      if (this.#arriving !== undefined) this.#arriving.bytes -= slice.length;
      for (const feed of this.#feeds) feed.call(this.#socket, slice);
    }
  }

  /** The rest of a body is one slice, since no other request begins in it. */
  #sliceBytes(): number {
    if (this.#arriving?.incoming.complete !== false) return SLICE_BYTES;
    return Math.max(SLICE_BYTES, this.#arriving.bytes);
  }

  #hold(chunk: Buffer): void {
    if (this.#heldBytes >= HELD_BYTES_MAX) {
      // Something resumed the socket: give the bytes back to it.
      this.#isPaused = true;
      this.#socket.pause().unshift(chunk);
      return;
    }
    this.#held.push(chunk);
    this.#heldBytes += chunk.length;
    if (this.#heldBytes < HELD_BYTES_MAX) return;
    this.#isPaused = true;
    this.#socket.pause();
  }
}
