/** A search, ready to be run in each of its scopes. */
import type { Namespace } from '../../../../kernel/access/namespace.js';
import type { MemoryScope } from '../../../../kernel/access/scope.js';
import type { MemorySource } from '../../view/memory-source.js';
import type { CompiledSearch } from '../matching/compiled-search.js';
import type { CountedBy } from '../documents/counts-schema.js';
import type { CompiledOrder } from '../matching/search-order.js';
import type { SearchWork } from './search-work.js';
import type { Shown } from './shown-match.js';

/** What all scopes of a search have in common. */
export interface SearchPlan {
  readonly compiled: CompiledSearch;
  readonly order: CompiledOrder;
  readonly shown: Shown;
  /** Whether entries of several scopes are put in one order, so that each needs its id. */
  readonly isMerged: boolean;
  /** About the bytes of the names in a shown match. Its values are stored as they are shown. */
  readonly frameBytes: number;
  /** Bytes of records that one slice reads; the last record may go beyond. */
  readonly sliceRecordBytes: number;
  /** The members to count matches by; absent if matches are shown. */
  readonly countedBy?: readonly CountedBy[] | undefined;
  /** What decides who stands in for ended records; absent where they stand for themselves. */
  readonly successors?: Successors | undefined;
  /** Measures the work. It does not affect the matches. */
  readonly work: SearchWork;
}

/** The filter of a search in which ended records give their places to their successors. */
export interface Successors {
  /** As it was asked for, so that ended records match it no more. */
  readonly asked: CompiledSearch;
  /** The same without its words, which the record that holds now need not have. */
  readonly holding: CompiledSearch;
}

/** A scope of a search. */
export interface SearchedScope {
  readonly index: number;
  readonly scope: MemoryScope;
  readonly namespace: Namespace;
  readonly source: MemorySource;
}
