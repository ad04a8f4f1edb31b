/** Options of the memory of an agent. */
import type { MemoryScopeInput } from '../kernel/access/scope.js';
import type { AsOf } from '../domains/memory/documents/as-of-schema.js';
import type { Dependents } from '../domains/memory/documents/lineage-schema.js';
import type { RecordInput } from '../domains/memory/documents/schema.js';
import type {
  CountedBy,
  WantedCountsInput,
} from '../domains/memory/search/documents/counts-schema.js';
import type { RankJoinInput } from '../domains/memory/search/documents/join-schema.js';
import type {
  SearchOrder,
  SearchTextInput,
  SearchVectorInput,
  WordFilterInput,
} from '../domains/memory/search/documents/schema.js';
import type { CallOptions, PartsOf } from './call.js';

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

/** Settings of a batch. */
export interface BatchOptions extends CommandOptions {
  /** Whether the changes are one proposal, which waits for review. Default: false. */
  readonly propose?: boolean | undefined;
}

/** Settings of a deletion or redaction. */
export interface ErasureOptions extends CommandOptions {
  /**
   * What to do about records that were derived from this one, directly or not: `report` finds them,
   * `cascade` deletes or redacts them too. `memory.dependents()` does the work. Default: nothing.
   */
  readonly dependents?: Dependents | undefined;
}

/** What is stored beside a text. */
export interface RememberOptions extends CommandOptions {
  /** Replaces the text that has this name, if there is one: 1 to 256 UTF-8 bytes. */
  readonly name?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  /** Any JSON object, which searches can filter by. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** When it happened, as a date or in Unix milliseconds. Default: when it is stored. */
  readonly at?: Date | number | undefined;
  /** Who or what it came from. */
  readonly source?: RecordInput['source'];
  /** 1 to 32 revisions that it was derived from, which the agent may read. */
  readonly derivedFrom?: RecordInput['derived_from'];
  /** 1 to 8 records of the scope, each at its current revision, that no longer hold from now on. */
  readonly supersedes?: RecordInput['supersedes'];
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

/** The record of a name. */
export interface NamedRecord {
  readonly name: string;
}

/** Which revision of the record of a name a command is meant for. */
export interface NamedTarget extends NamedRecord {
  /** The revision that it must have. Without it, the command applies to any revision. */
  readonly expectedRevision?: number | undefined;
}

/** Which state of memory a call reads. */
export interface AsOfOptions extends CallOptions {
  /**
   * The state at a time in Unix milliseconds, or at a cursor of the change feed: the records and
   * names that stood then. Default: the current state. With `missing: 'left_out'`, a query or
   * search leaves out records of which nothing is kept, and says how many.
   */
  readonly asOf?: AsOf | undefined;
}

/** Scopes of a call that can look in several. */
export interface ScopesOptions extends CallOptions {
  /** 1 to 16 scopes. Default: the scope of the memory. */
  readonly scopes?: readonly MemoryScopeInput[] | undefined;
}

/** Which changes to read. */
export interface ChangeOptions extends CallOptions {
  /**
   * A cursor, to go on after it, or `latest`, to begin after everything that is committed now.
   * Default: begin with the oldest change that is kept.
   */
  readonly after?: string | undefined;
}

/** What a page of changes has. */
export interface ChangePageOptions extends ChangeOptions {
  /** Most changes, 1 to 256; default 100. */
  readonly limit?: number | undefined;
  /** How long to wait if there is no change yet, up to 30,000 milliseconds; default 0. */
  readonly waitMillis?: number | undefined;
  /** Whether the page has what happened to proposals too. Default: false. */
  readonly proposals?: boolean | undefined;
}

/** Which revision a read returns: without any of them, the current one. */
export interface ReadOptions extends AsOfOptions {
  /** The number of the revision. */
  readonly revision?: number | undefined;
  /** Unix milliseconds: the revision that was current at that time. Not with `revision`. */
  readonly asOfMillis?: number | undefined;
}

/** Which revisions to list. */
export interface RevisionsOptions extends CallOptions {
  /** Most revisions of one page, 1 to 100; default 25. */
  readonly limit?: number | undefined;
}

/** Which page of revisions to return. */
export interface RevisionsPageOptions extends RevisionsOptions {
  /** The `next_cursor` of the page before. */
  readonly cursor?: string | undefined;
}

/** Which old revision a command is meant for. */
export interface OldRevision {
  readonly recordId: string;
  /** The old revision. */
  readonly revision: number;
}

/** What a query looks for, as in documents; all given members must match. */
export type QueryFilterInput = Pick<
  NonNullable<PartsOf<'queryMemory'>['document']['filter']>,
  'text_contains' | 'episode_type' | 'tag' | 'tags' | 'source' | 'derived_from'
>;

/** How a query goes on. */
export interface QueryOptions extends AsOfOptions {
  /** Start behind this record id. */
  readonly after?: string | undefined;
  /** Most records of one page, 1 to 1,000; default 100. */
  readonly limit?: number | undefined;
  /** Most entries examined for one page, 1 to 10,000; default 10,000. */
  readonly scanLimit?: number | undefined;
}

/** How a search goes on. */
export interface SearchOptions extends ScopesOptions, AsOfOptions {
  /**
   * `newest` (default), `oldest`, `newest_event`, `oldest_event`, `newest_change`, `oldest_change`,
   * `most_words`: by the number of words found, then the newest; `nearest`: by the distance from
   * `vector`; or `hybrid`: by `words` and `vector`, joined by the reciprocals of both ranks.
   */
  readonly order?: SearchOrder;
  /**
   * For the orders `nearest` and `hybrid`: numbers or a text, and how distances are measured;
   * default `cosine`. `embed` makes the embedding of a text or, in the order `nearest`, the server.
   */
  readonly vector?: SearchVectorInput | SearchTextInput | undefined;
  /**
   * The embedding space of `vector` and of `embedded` in the filter. Default: the `embeddingSpace` of
   * the keep or client for a text, else the default of the scopes.
   */
  readonly space?: string | undefined;
  /** For the order `hybrid`: what it goes by beside the vector; records need not have them. */
  readonly words?: WordFilterInput;
  /**
   * For the order `hybrid`: what is added to each rank before its reciprocal (default 60), and what
   * a rank by distance counts beside one by words (default 1). `recall` joins by 5 and 0.4.
   */
  readonly join?: RankJoinInput;
  /** Asks for numbers of matches instead of records; `memory.count()` adds them up. */
  readonly counts?: WantedCountsInput;
  /** Whether matches say where words and substring are in their texts; default false. */
  readonly highlights?: boolean;
  /**
   * In the order `best_words`: most bytes of a passage, 256 to 65,536. Of a longer primary text,
   * `passage` says where the best passage is.
   */
  readonly passageBytes?: number | undefined;
  /**
   * In the order `best_words`, whether an ended record gives its place to the one that holds now,
   * whose match says so as `in_place_of` (docs/contract/superseding.md#sup-14); default false.
   */
  readonly successors?: boolean | undefined;
  /** Whether a page says how it was found, and how long that took; default false. */
  readonly explain?: boolean;
  /**
   * Id of a record of which a page says, as `record_explanation`, whether it meets each condition,
   * which words it has, and at which place it comes. Not with `counts`.
   */
  readonly explainRecord?: string;
  /** Start at `next_cursor` of an earlier page of the same search. */
  readonly cursor?: string;
  /** Most matches of one page, 1 to 100; default 20. */
  readonly limit?: number;
  /** Most entries examined for one page, 1 to 10,000; default 10,000. */
  readonly scanLimit?: number;
}

/** What a count of matches shows beside their number. */
export interface SearchCountOptions extends ScopesOptions, AsOfOptions {
  /** Numbers of matches by type, tag, author or UTC day; default: none. */
  readonly by?: CountedBy[];
  /** Most entries examined for one page, 1 to 10,000; default 10,000. */
  readonly scanLimit?: number;
  /**
   * Called once before the answer, where `asOf` has `missing: 'left_out'`, with the number of
   * records of the scopes of which nothing is kept (docs/contract/as-of.md#aso-16).
   */
  readonly onMissing?: ((records: number) => void) | undefined;
}
