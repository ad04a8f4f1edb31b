/** Decides which connections stay open when the bound is reached. */
import type { Socket } from 'node:net';
import type { AddressRanges } from '../rate-limit/address-ranges.js';
import { networkOf, peerAddress } from '../rate-limit/client-address.js';

/** Bounds on open connections. */
export interface RoomLimits {
  /** Open connections in all. */
  readonly connections: number;
  /** Open connections of one address that is no trusted proxy. */
  readonly connectionsPerAddress: number;
}

/** The connections of one address. */
interface Peer {
  readonly address: string;
  count: number;
  /** Connections without a request in progress, the longest idle first. */
  readonly idle: Set<Socket>;
}

/**
 * Counts open connections, in all and per address. At a bound a new connection replaces the one
 * that has been idle longest, so idle connections keep no client out. Trusted proxies are bounded
 * only by the total, because many clients share their addresses.
 */
export class ConnectionRoom {
  readonly #limits: RoomLimits;
  readonly #proxies: AddressRanges;
  readonly #peers = new Map<string, Peer>();
  readonly #open = new Map<Socket, Peer>();
  readonly #idle = new Set<Socket>();

  constructor(limits: RoomLimits, proxies: AddressRanges) {
    this.#limits = limits;
    this.#proxies = proxies;
  }

  /** Makes room for a connection; returns `false` if that is not possible. */
  admit(socket: Socket): boolean {
    const address = peerAddress(socket.remoteAddress ?? '');
    const network = networkOf(address);
    const known = this.#peers.get(network);
    const { connections, connectionsPerAddress } = this.#limits;
    const isFull = known !== undefined && known.count >= connectionsPerAddress;
    if (isFull && !this.#proxies.includes(address) && !this.#evict(known.idle)) return false;
    if (this.#open.size >= connections && !this.#evict(this.#idle)) return false;
    const peer = this.#peers.get(network) ?? { address: network, count: 0, idle: new Set() };
    peer.count += 1;
    this.#peers.set(network, peer);
    this.#open.set(socket, peer);
    this.idle(socket);
    return true;
  }

  /** Notes that a connection has a request in progress. */
  busy(socket: Socket): void {
    this.#open.get(socket)?.idle.delete(socket);
    this.#idle.delete(socket);
  }

  /** Notes that a connection has no request in progress any more. */
  idle(socket: Socket): void {
    const peer = this.#open.get(socket);
    if (peer === undefined) return;
    peer.idle.add(socket);
    this.#idle.add(socket);
  }

  /** Notes that a connection has ended. */
  left(socket: Socket): void {
    const peer = this.#open.get(socket);
    if (peer === undefined) return;
    this.busy(socket);
    this.#open.delete(socket);
    peer.count -= 1;
    if (peer.count === 0) this.#peers.delete(peer.address);
  }

  /** Closes the connection that is idle longest; returns `false` if none is idle. */
  #evict(idle: ReadonlySet<Socket>): boolean {
    const [oldest] = idle;
    if (oldest === undefined) return false;
    this.left(oldest);
    oldest.destroy();
    return true;
  }
}
