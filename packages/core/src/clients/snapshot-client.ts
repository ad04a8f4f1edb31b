/** Client of the snapshots of the service. */
import type { CallOperation, CallOptions, OutputOf } from './call.js';

/** The result of a new snapshot. */
export type NewSnapshot = OutputOf<'createSnapshot'>;

/** A complete snapshot. */
export type CompleteSnapshot = OutputOf<'listSnapshots'>['snapshots'][number];

/** Makes and lists snapshots. Needs the role Admin or SuperAdmin in the installation. */
export class SnapshotClient {
  readonly #call: CallOperation;

  constructor(call: CallOperation) {
    this.#call = call;
  }

  /**
   * Makes a snapshot. Resolves once it is complete and durable.
   * @throws {AgentkeepError} `snapshot_in_progress`; `no_data_directory` for a keep over a given store
   * without a directory.
   */
  create(options?: CallOptions): Promise<NewSnapshot> {
    return this.#call('createSnapshot', {}, options);
  }

  /**
   * Returns the complete snapshots, newest first.
   * @throws {AgentkeepError} `no_data_directory`
   */
  async list(options?: CallOptions): Promise<CompleteSnapshot[]> {
    const { snapshots } = await this.#call('listSnapshots', {}, options);
    return snapshots;
  }
}
