/** Options of the memory of an agent. */
import type { EpisodeType } from '../memory/schema.js';
import type { CallOptions } from './call.js';

/** Settings of a command. */
export interface CommandOptions extends CallOptions {
  /**
   * Names the intent of the command, so that a retry with the same key changes nothing and returns
   * the first receipt: 1 to 256 UTF-8 bytes, unique for each intent of a subject within a scope.
   * Default: a new key, which the receipt returns as `idempotency_key`. Set one if the command may
   * be sent again after its answer was lost.
   */
  readonly idempotencyKey?: string | undefined;
}

/** Options of a change of the record of a name. */
export interface NamedOptions extends CommandOptions {
  /**
   * The revision that the record must have. 0 requires that there is no current record of that
   * name. Without it, the change applies to any revision.
   */
  readonly expectedRevision?: number | undefined;
}

/** Which revision of which record a command is meant for. */
export interface RecordTarget {
  readonly recordId: string;
  readonly expectedRevision: number;
}

/** What a query looks for; all given members must match. */
export interface MemoryQuery extends CallOptions {
  /** Substring of primary, secondary or context; letter case does not matter. */
  readonly textContains?: string;
  readonly episodeType?: EpisodeType;
  readonly tag?: string;
  /** 1 to 16 tags, each of which a record must carry. */
  readonly tags?: string[];
  /** Start behind this record id. */
  readonly after?: string;
  /** Most records of one page, 1 to 1,000; default 100. */
  readonly limit?: number;
  /** Most entries examined for one page, 1 to 10,000; default 10,000. */
  readonly scanLimit?: number;
}
