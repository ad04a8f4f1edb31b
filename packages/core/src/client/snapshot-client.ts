/** Client of the snapshots of the service. */
import type { CallOperation, CallOptions, OutputOf } from './call.js';

/** The result of a new snapshot. */
export type NewSnapshot = OutputOf<'createSnapshot'>;

/** A complete snapshot. */
export type CompleteSnapshot = OutputOf<'listSnapshots'>['snapshots'][number];

/** How the service makes snapshots by itself. */
export type SnapshotSchedule = OutputOf<'getSnapshotSchedule'>;

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

  /**
   * Returns how often the service makes a snapshot by itself, and when the next one is due.
   * @throws {AgentkeepError} `no_data_directory`
   */
  schedule(options?: CallOptions): Promise<SnapshotSchedule> {
    return this.#call('getSnapshotSchedule', {}, options);
  }
}
