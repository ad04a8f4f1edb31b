/**
 * Tracks open connections and their pending requests, so that a stop closes idle connections at
 * once and busy ones after their last response.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { refuseConnection, statusOfConnectionError } from './refusal.js';

/** An accepted request whose response is not sent in full. */
interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** Whether the response is ready, so that only the client can delay it. */
  isAnswered: boolean;
  /** Closes the connection when the client does not read the response in time. */
  deadline?: NodeJS.Timeout;
}

/** Limits of one client; times in milliseconds. */
export interface ConnectionLimits {
  /** For a whole request, headers and body. */
  readonly requestMs: number;
  /** Longest time in which the client reads nothing of its response. */
  readonly stallMs: number;
  /** Lowest rate of reading a response, in bytes per second, measured after {@link stallMs}. */
  readonly answerBytesPerSec: number;
}

/** The open connections of a server. It closes the ones that exceed a limit. */
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
    // CONNECT is not supported; without a listener the client would get no response.
    server.on('connect', (_request, socket) => {
      refuseConnection(socket, 400);
    });
  }

  /** Number of open connections. */
  get count(): number {
    return this.#open.size;
  }

  /**
   * Registers a request. Returns `false` when it came too late: it gets no response, and its
   * connection closes after the pending responses.
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

  /** Records that the response to a request is ready. */
  answered(incoming: IncomingMessage): void {
    const { socket } = incoming;
    const exchanges = this.#open.get(socket) ?? new Set();
    for (const exchange of exchanges) exchange.isAnswered ||= exchange.incoming === incoming;
    this.#limitStall(socket, exchanges);
  }

  /** Closes idle connections now, and busy ones as soon as their accepted requests are answered. */
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

  /** Limits the client's time only while the oldest pending response is ready. */
  #limitStall(socket: Socket, exchanges: ReadonlySet<Exchange>): void {
    const [oldest] = exchanges;
    // Between requests, the keep-alive limit of Node.js applies.
    if (oldest === undefined) return;
    socket.setTimeout(oldest.isAnswered ? this.#limits.stallMs : 0);
    if (oldest.isAnswered && oldest.deadline === undefined) this.#setDeadline(socket, oldest);
  }

  /** Limits the whole response: a client that keeps sending never triggers the socket timeout. */
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

  /** Replaces the body timeout of Node.js, which ends when the server closes. */
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
    // Earlier requests are answered first, or the client would mistake this response for theirs.
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
