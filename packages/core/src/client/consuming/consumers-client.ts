/** The consumers of an agent. */
import { refuseUnknownOptions, requireArguments } from '../../contract/errors/arguments.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import type { Consumer as ShownConsumer } from '../../domains/memory/consumers/schema.js';
import type { CallOptions } from '../call.js';
import { Consumer, type ConsumerOptions, type ConsumerParts } from './consumer.js';

const parameters = { contract_version: CONTRACT_VERSION };

/** Opens, lists and deletes consumers of the subject of an agent. */
export class ConsumersClient {
  readonly #parts: ConsumerParts;

  constructor(parts: ConsumerParts) {
    this.#parts = parts;
  }

  /** Returns a worker of the consumer with a name. Its first claim makes the consumer. */
  open(name: string, options: ConsumerOptions = {}): Consumer {
    const call = 'memory.consumers.open()';
    requireArguments(call, { name });
    refuseUnknownOptions(call, options, ['holder', 'leaseSeconds', 'start']);
    return new Consumer(this.#parts, name, options);
  }

  /** Returns the consumers of the subject, by name. */
  async list({ signal }: CallOptions = {}): Promise<ShownConsumer[]> {
    return (await this.#parts.call('listConsumers', { parameters }, { signal })).consumers;
  }

  /**
   * Deletes a consumer with its position.
   * @throws {AgentkeepError} `target_not_found` when there is none.
   */
  async delete(name: string, { signal }: CallOptions = {}): Promise<void> {
    requireArguments('memory.consumers.delete()', { name });
    await this.#parts.call('deleteConsumer', { id: name, parameters }, { signal });
  }
}
