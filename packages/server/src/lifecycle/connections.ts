/**
 * The open connections of a server and the requests that each one waits for, so that a stop ends
 * idle connections at once and busy ones behind their last answer.
 * @module
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { refuseConnection, statusOfConnectionError } from './refusal.js';

/** A request that was accepted and is not answered in full. */
interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** Whether the answer is ready, so that it is for the client to take it. */
  isAnswered: boolean;
  /** Ends the connection when the answer is not taken in time. */
  deadline?: NodeJS.Timeout;
}

/** What a client may take; times in milliseconds. */
export interface ConnectionLimits {
  /** For a whole request, headers and body. */
  readonly requestMs: number;
  /** Without taking a byte of its answer. */
  readonly stallMs: number;
  /** Bytes that it takes in a second, beyond {@link stallMs} for an answer as a whole. */
  readonly answerBytesPerSec: number;
}

/** Keeps the books of connections and ends them. */
export class Connections {
  readonly #limits: ConnectionLimits;
  /** The exchanges of each connection, oldest first. */
  readonly #open = new Map<Duplex, Set<Exchange>>();
  readonly #broken = new WeakSet<Duplex>();
  #isDraining = false;

  constructor(server: Server, limits: ConnectionLimits) {
    this.#limits = limits;
    server.on('connection', (socket: Socket) => {
      this.#opened(socket);
    });
    server.on('clientError', (error: Error, socket) => {
      this.#failed(error, socket);
    });
    // Nothing is tunnelled, and without a listener the client would get no answer.
    server.on('connect', (_request, socket) => {
      refuseConnection(socket, 400);
    });
  }

  /** Connections that are open. */
  get count(): number {
    return this.#open.size;
  }

  /**
   * Takes a request into the books. `false` means that it came too late: its connection ends behind
   * the answers that are due, and this request gets none.
   */
  accept(incoming: IncomingMessage, outgoing: ServerResponse): boolean {
    const { socket } = incoming;
    const exchanges = this.#open.get(socket);
    if (exchanges === undefined || this.#broken.has(socket)) return false;
    if (this.#isDraining) {
      if (exchanges.size === 0) socket.destroy();
      return false;
    }
    const exchange: Exchange = { incoming, outgoing, isAnswered: false };
    exchanges.add(exchange);
    this.#limitStall(socket, exchanges);
    outgoing.once('close', () => {
      clearTimeout(exchange.deadline);
      exchanges.delete(exchange);
      if (exchanges.size === 0 && this.#endsSoon(socket)) socket.destroySoon();
      else this.#limitStall(socket, exchanges);
    });
    return true;
  }

  /** Notes that the answer to a request is ready. */
  answered(incoming: IncomingMessage): void {
    const { socket } = incoming;
    const exchanges = this.#open.get(socket) ?? new Set();
    for (const exchange of exchanges) exchange.isAnswered ||= exchange.incoming === incoming;
    this.#limitStall(socket, exchanges);
  }

  /** Ends idle connections now, and each busy one as soon as its accepted requests are answered. */
  drain(): void {
    this.#isDraining = true;
    for (const [socket, exchanges] of this.#open) {
      if (exchanges.size === 0) socket.destroy();
      for (const exchange of exchanges) {
        announceEnd(exchange);
        if (!exchange.incoming.complete) this.#limitBody(socket, exchange);
      }
    }
  }

  /** The client is the slow one while the oldest answer that is due is ready, and only then. */
  #limitStall(socket: Socket, exchanges: ReadonlySet<Exchange>): void {
    const [oldest] = exchanges;
    // Without any, Node.js waits for the next request, with a limit of its own.
    if (oldest === undefined) return;
    socket.setTimeout(oldest.isAnswered ? this.#limits.stallMs : 0);
    if (oldest.isAnswered && oldest.deadline === undefined) this.#setDeadline(socket, oldest);
  }

  /** Silence alone would not do: whoever goes on sending is never silent. */
  #setDeadline(socket: Socket, exchange: Exchange): void {
    const { stallMs, answerBytesPerSec } = this.#limits;
    const startedMs = performance.now();
    const check = (): void => {
      const allowedMs = stallMs + (1_000 * socket.writableLength) / answerBytesPerSec;
      const leftMs = allowedMs - (performance.now() - startedMs);
      if (leftMs > 0) exchange.deadline = setTimeout(check, leftMs);
      else socket.destroy();
    };
    exchange.deadline = setTimeout(check, stallMs);
  }

  #endsSoon(socket: Duplex): boolean {
    return this.#isDraining || this.#broken.has(socket);
  }

  #opened(socket: Duplex): void {
    if (this.#isDraining) {
      socket.destroy();
      return;
    }
    this.#open.set(socket, new Set());
    socket.once('close', () => this.#open.delete(socket));
  }

  /** Node.js stops to watch over slow bodies when its server closes. */
  #limitBody(socket: Duplex, { incoming }: Exchange): void {
    const cut = setTimeout(() => {
      if (!incoming.complete) socket.destroy();
    }, this.#limits.requestMs);
    socket.once('close', () => {
      clearTimeout(cut);
    });
  }

  #failed(error: Error, socket: Duplex): void {
    if (this.#broken.has(socket)) return;
    this.#broken.add(socket);
    const exchanges = [...(this.#open.get(socket) ?? [])];
    const [oldest] = exchanges;
    // An answer must not be taken for that of an earlier request, so those come first.
    if (oldest?.incoming.complete === true) {
      exchanges.forEach(announceEnd);
      return;
    }
    if (oldest?.outgoing.headersSent === true) socket.destroy();
    else refuseConnection(socket, statusOfConnectionError(error));
  }
}

function announceEnd({ outgoing }: Exchange): void {
  if (!outgoing.headersSent) outgoing.setHeader('Connection', 'close');
}
