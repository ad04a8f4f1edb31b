/** Client of the programs that an account connected by OAuth. */
import { requireArguments } from '../contract/errors/arguments.js';
import type { CallOperation, CallOptions, OutputOf } from './call.js';

/** A program that an account connected, and what it may do. */
type Connection = OutputOf<'listConnections'>['connections'][number];

/** The programs of the calling account. A credential has none and gets `forbidden`. */
export class ConnectionClient {
  readonly #call: CallOperation;

  constructor(call: CallOperation) {
    this.#call = call;
  }

  /** Returns the live connections, the newest first; at most 64. */
  async list(options?: CallOptions): Promise<readonly Connection[]> {
    const { connections } = await this.#call('listConnections', {}, options);
    return connections;
  }

  /**
   * Ends a connection: its program is refused from then on.
   * @throws {AgentkeepError} `target_not_found` for a connection that is not one of the account.
   */
  async end(id: string, options?: CallOptions): Promise<void> {
    requireArguments('connections.end()', { id });
    await this.#call('endConnection', { id }, options);
  }
}
