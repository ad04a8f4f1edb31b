/**
 * Snapshots of the service, as its administrators make them.
 * @module
 */
import type { CallOperation, CallOptions, OutputOf } from './call.js';

/** A snapshot that was just made. */
export type NewSnapshot = OutputOf<'createSnapshot'>;

/** A complete snapshot. */
export type CompleteSnapshot = OutputOf<'listSnapshots'>['snapshots'][number];

/** Makes and lists snapshots; needs the role Admin or SuperAdmin in the installation. */
export class SnapshotClient {
  readonly #call: CallOperation;

  constructor(call: CallOperation) {
    this.#call = call;
  }

  /**
   * Makes a snapshot; resolves once it is complete and durable.
   * @throws {AgentkeepError} `snapshot_in_progress`; `no_data_directory` for a keep over a store that
   * it was given.
   */
  create(options?: CallOptions): Promise<NewSnapshot> {
    return this.#call('createSnapshot', {}, options);
  }

  /**
   * The complete snapshots, newest first.
   * @throws {AgentkeepError} `no_data_directory`
   */
  async list(options?: CallOptions): Promise<CompleteSnapshot[]> {
    const { snapshots } = await this.#call('listSnapshots', {}, options);
    return snapshots;
  }
}
