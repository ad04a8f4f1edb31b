/**
 * Tracks open connections and their pending requests: each connection has one request in progress
 * at a time, and a stop closes busy ones after their last response and idle ones once all requests
 * are answered.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { Duplex } from 'node:stream';
import { clearTimeout, setTimeout } from 'node:timers';
import type { ConnectionRoom } from './connection-room.js';
import { refuseConnection, statusOfConnectionError } from './refusal.js';
import { RequestGate } from './request-gate.js';

/** An accepted request whose response is not sent in full. */
interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** Starts the work on the request, once the ones before it are answered. */
  readonly start: () => void;
  /** Whether the response is ready, so that only the client can delay it. */
  isAnswered: boolean;
  /** Closes the connection when the client does not read the response in time. */
  deadline?: NodeJS.Timeout | undefined;
}

/** What is done with a request once the ones before it are answered. */
interface Handling {
  /** Starts the work on it. */
  readonly start: () => void;
  /** Refuses it, because it came after the stop began. */
  readonly refuse: () => void;
}

/** An open connection. */
interface Open {
  readonly socket: Socket;
  /** Oldest first. */
  readonly exchanges: Set<Exchange>;
  readonly gate: RequestGate;
}

/** Limits of one client; times in milliseconds. */
export interface ConnectionLimits {
  /** Longest time in which the client reads nothing of its response. */
  readonly stallMs: number;
  /** Lowest rate of reading a response, in bytes per second, measured after {@link stallMs}. */
  readonly answerBytesPerSec: number;
}

/** The open connections of a server. It closes the ones that exceed a limit. */
export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #room: ConnectionRoom;
  readonly #open = new Map<Duplex, Open>();
  readonly #broken = new WeakSet<Duplex>();
  /** Requests whose responses are not sent in full. */
  #pending = 0;
  #isDraining = false;

  constructor(server: Server, limits: ConnectionLimits, room: ConnectionRoom) {
    this.#limits = limits;
    this.#room = room;
    server.on('connection', (socket: Socket) => {
      this.#opened(socket);
    });
    server.on('clientError', (error: Error, socket) => {
      this.#failed(error, socket);
    });
    // CONNECT is not supported; without a listener the client would get no response.
    server.on('connect', (_request, socket) => {
      this.#open.get(socket)?.gate.close();
      refuseConnection(socket, 400);
    });
  }

  /** Number of open connections. */
  get count(): number {
    return this.#open.size;
  }

  /**
   * Registers a request, and starts the work on it once the requests before it on its connection
   * are answered. A request that comes too late is refused, and its connection closes after that.
   * If it comes behind one whose response announces the end, it gets no response.
   */
  accept(incoming: IncomingMessage, outgoing: ServerResponse, { start, refuse }: Handling): void {
    const { socket } = incoming;
    const open = this.#open.get(socket);
    if (open === undefined || this.#broken.has(socket)) return;
    const { exchanges, gate } = open;
    const isLate = this.#isDraining;
    if (isLate && exchanges.size > 0) return;
    const exchange: Exchange = {
      ...{ incoming, outgoing, isAnswered: false },
      start: isLate ? refuse : start,
    };
    if (isLate) announceEnd(exchange);
    exchanges.add(exchange);
    this.#pending += 1;
    this.#room.busy(socket);
    gate.began(incoming);
    outgoing.once('close', () => {
      this.#ended(socket, open, exchange);
    });
    if (exchanges.size === 1) exchange.start();
  }

  /**
   * Records that the response to a request is ready, or already written, so that only the client
   * can delay it. Then its time is limited.
   */
  answered(incoming: IncomingMessage): void {
    const { socket } = incoming;
    const exchanges = this.#open.get(socket)?.exchanges ?? new Set();
    for (const exchange of exchanges) {
      if (exchange.incoming !== incoming) continue;
      exchange.isAnswered = true;
      // The operating system has accepted all of it, so the client delays nothing here.
      const { writableEnded, writableLength } = exchange.outgoing;
      if (writableEnded && writableLength === 0) return;
    }
    this.#limitStall(socket, exchanges);
  }

  /** Records that the client has read the written part of an unfinished response. */
  answersOn(incoming: IncomingMessage): void {
    const { socket } = incoming;
    for (const exchange of this.#open.get(socket)?.exchanges ?? []) {
      if (exchange.incoming !== incoming) continue;
      exchange.isAnswered = false;
      clearTimeout(exchange.deadline);
      exchange.deadline = undefined;
      socket.setTimeout(0);
    }
  }

  /**
   * Closes busy connections as soon as their accepted requests are answered. Idle ones stay until
   * all are, so that their next request gets an answer.
   */
  drain(): void {
    this.#isDraining = true;
    for (const { exchanges, gate } of this.#open.values()) {
      if (exchanges.size === 0) continue;
      // Input is needed only for the rest of a body.
      if ([...exchanges].every(({ incoming }) => incoming.complete)) gate.close();
      exchanges.forEach(announceEnd);
    }
    this.#closeWhenAnswered();
  }

  /** Closes all connections now. */
  cut(): void {
    for (const socket of this.#open.keys()) socket.destroy();
  }

  #ended(socket: Socket, { exchanges, gate }: Open, exchange: Exchange): void {
    clearTimeout(exchange.deadline);
    exchanges.delete(exchange);
    this.#pending -= 1;
    if (this.#isDraining) this.#closeWhenAnswered();
    const [next] = exchanges;
    if (socket.destroyed) return;
    if (next !== undefined) {
      this.#limitStall(socket, exchanges);
      next.start();
      return;
    }
    this.#room.idle(socket);
    if (this.#endsSoon(socket)) socket.destroySoon();
    else gate.next();
  }

  /** Closes idle connections once no request waits for its response. */
  #closeWhenAnswered(): void {
    if (this.#pending > 0) return;
    // The last response may still be on its way.
    for (const { socket } of this.#open.values()) socket.destroySoon();
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

  #opened(socket: Socket): void {
    if (this.#isDraining || !this.#room.admit(socket)) {
      socket.destroy();
      return;
    }
    const exchanges = new Set<Exchange>();
    const gate = new RequestGate(socket, () => anyWhole(exchanges));
    this.#open.set(socket, { socket, exchanges, gate });
    socket.once('close', () => {
      this.#open.delete(socket);
      this.#room.left(socket);
    });
  }

  #failed(error: Error, socket: Duplex): void {
    if (this.#broken.has(socket)) return;
    this.#broken.add(socket);
    const open = this.#open.get(socket);
    open?.gate.close();
    const exchanges = [...(open?.exchanges ?? [])];
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

function anyWhole(exchanges: ReadonlySet<Exchange>): boolean {
  for (const { incoming } of exchanges) if (incoming.complete) return true;
  return false;
}

function announceEnd({ outgoing }: Exchange): void {
  if (!outgoing.headersSent) outgoing.setHeader('Connection', 'close');
}
