/** The deprecated forms of `agent.memory`, which take a scope first. The next version has none. */
import type { MemoryScopeInput } from '../access/scope.js';
import type { ChangePage, CommittedChange } from '../memory/changes/schema.js';
import type {
  BatchReceipt,
  MemoryRecord,
  MemoryRevision,
  Receipt,
  RecordInput,
  RevisionsPage,
} from '../memory/documents/schema.js';
import type { QueryPage } from '../memory/documents/query-schema.js';
import type { SearchCounts } from '../memory/search/documents/counts-schema.js';
import type {
  SearchFilterInput,
  SearchMatch,
  SearchPage,
} from '../memory/search/documents/schema.js';
import type { CallOptions } from './call.js';
import type {
  ChangeOptions,
  ChangePageOptions,
  CommandOptions,
  MemoryQuery,
  NamedOptions,
  OldRevision,
  ReadOptions,
  RecordTarget,
  RevisionsOptions,
  RevisionsPageOptions,
  SearchCountOptions,
  SearchOptions,
} from './memory-options.js';
import type { MemoryParts } from './memory-reads.js';
import { ScopedMemory } from './scoped-memory.js';

type InScope<T> = T & { readonly scope: MemoryScopeInput };
type Scopes = MemoryScopeInput | readonly MemoryScopeInput[];
type Records = Iterable<RecordInput> | AsyncIterable<RecordInput>;

/** The methods of `agent.memory` with a scope as first argument, for one version. */
export interface ScopeFirstMemory {
  /** @deprecated Use `memory.in(scope).create()`. */
  create(scope: MemoryScopeInput, record: RecordInput, options?: CommandOptions): Promise<Receipt>;
  /** @deprecated Use `memory.in(scope).update()`. */
  update(
    scope: MemoryScopeInput,
    target: RecordTarget,
    record: RecordInput,
    options?: CommandOptions,
  ): Promise<Receipt>;
  /** @deprecated Use `memory.in(scope).delete()`. */
  delete(scope: MemoryScopeInput, target: RecordTarget, options?: CommandOptions): Promise<Receipt>;
  /** @deprecated Use `memory.in(scope).put()`. */
  put(
    scope: MemoryScopeInput,
    name: string,
    record: RecordInput,
    options?: NamedOptions,
  ): Promise<Receipt>;
  /** @deprecated Use `memory.in(scope).read({ name })`. */
  get(
    scope: MemoryScopeInput,
    name: string,
    options?: CallOptions,
  ): Promise<MemoryRecord | undefined>;
  /** @deprecated Use `memory.in(scope).delete({ name })`. */
  remove(scope: MemoryScopeInput, name: string, options?: NamedOptions): Promise<Receipt>;
  /** @deprecated Use `memory.in(scope).createMany()`. */
  createMany(
    scope: MemoryScopeInput,
    records: Records,
    options?: CommandOptions,
  ): AsyncGenerator<BatchReceipt, void>;
  /** @deprecated Use `memory.in(scope).read()`. */
  read(scope: MemoryScopeInput, recordId: string, options?: ReadOptions): Promise<MemoryRecord>;
  /** @deprecated Use `memory.in(scope).historyPage()`. */
  historyPage(
    scope: MemoryScopeInput,
    recordId: string,
    options?: RevisionsPageOptions,
  ): Promise<RevisionsPage>;
  /** @deprecated Use `memory.in(scope).history()`. */
  history(
    scope: MemoryScopeInput,
    recordId: string,
    options?: RevisionsOptions,
  ): AsyncGenerator<MemoryRevision, void>;
  /** @deprecated Use `memory.in(scope).restore()`. */
  restore(
    scope: MemoryScopeInput,
    target: OldRevision & RecordTarget,
    options?: CommandOptions,
  ): Promise<Receipt>;
  /** @deprecated Use `memory.in(scope).redact()`. */
  redact(scope: MemoryScopeInput, target: OldRevision, options?: CommandOptions): Promise<Receipt>;
  /** @deprecated Use `memory.in(scope).queryPage(filter, options)`. */
  queryPage(scope: MemoryScopeInput, query?: MemoryQuery): Promise<QueryPage>;
  /** @deprecated Use `memory.in(scope).query(filter, options)`. */
  query(scope: MemoryScopeInput, query?: MemoryQuery): AsyncGenerator<MemoryRecord, void>;
  /** @deprecated Use `memory.in(scope).searchPage()`, with the option `scopes` for several. */
  searchPage(
    scopes: Scopes,
    filter?: SearchFilterInput,
    options?: SearchOptions,
  ): Promise<SearchPage>;
  /** @deprecated Use `memory.in(scope).search()`, with the option `scopes` for several. */
  search(
    scopes: Scopes,
    filter?: SearchFilterInput,
    options?: SearchOptions,
  ): AsyncGenerator<SearchMatch, void>;
  /** @deprecated Use `memory.in(scope).count()`, with the option `scopes` for several. */
  count(
    scopes: Scopes,
    filter?: SearchFilterInput,
    options?: SearchCountOptions,
  ): Promise<SearchCounts>;
  /** @deprecated Use `memory.in(scope).embedMissing()`, with the option `scopes` for several. */
  embedMissing(scopes: Scopes, options?: CallOptions): Promise<number>;
  /** @deprecated Use `memory.in(scope).changesPage()`. */
  changesPage(options: InScope<ChangePageOptions>): Promise<ChangePage>;
  /** @deprecated Use `memory.in(scope).changes()`. */
  changes(options: InScope<ChangeOptions>): AsyncGenerator<CommittedChange, void>;
}

/** The memory of an agent without a scope: {@link ScopedMemory}, and its deprecated forms. */
export type AgentMemory = ScopedMemory & ScopeFirstMemory;

const methodNames = [
  ...['create', 'update', 'delete', 'put', 'get', 'remove', 'createMany', 'read', 'historyPage'],
  ...['history', 'restore', 'redact', 'queryPage', 'query', 'searchPage', 'search', 'count'],
  ...['embedMissing', 'changesPage', 'changes'],
];

type Methods = Record<string, (...args: unknown[]) => unknown>;

/** A memory whose methods also take a scope first. */
class ScopeFirst extends ScopedMemory {}

// On the prototype, since an agent is made for every call of some programs.
for (const name of methodNames) {
  const method = (ScopedMemory.prototype as unknown as Methods)[name];
  const form = function (this: ScopedMemory, first: unknown, ...rest: unknown[]): unknown {
    const inScope = (scope: MemoryScopeInput) => this.in(scope) as unknown as Methods;
    if (isScope(first)) return inScope(first)[name]?.(...rest);
    if (name.startsWith('changes') && isInScope(first)) {
      const { scope, ...options } = first;
      return inScope(scope)[name]?.(options);
    }
    const args = Array.isArray(first) ? withScopes(name, first, rest) : [first, ...rest];
    return method?.apply(this, args);
  };
  Object.defineProperty(ScopeFirst.prototype, name, { value: form });
}

/** Returns the memory of an agent, with the deprecated forms. */
export function scopeFirstMemory(parts: MemoryParts): AgentMemory {
  return new ScopeFirst(parts) as AgentMemory;
}

/** Moves the scopes of a call into its options. */
function withScopes(name: string, scopes: unknown[], rest: unknown[]): unknown[] {
  if (name === 'createMany') return [scopes, ...rest];
  const [filter, options] = name === 'embedMissing' ? [undefined, rest[0]] : rest;
  const moved = { ...(options as object | undefined), scopes };
  return name === 'embedMissing' ? [moved] : [filter, moved];
}

function isScope(value: unknown): value is MemoryScopeInput {
  return typeof value === 'object' && value !== null && 'project_id' in value;
}

function isInScope(value: unknown): value is InScope<object> {
  return typeof value === 'object' && value !== null && 'scope' in value && isScope(value.scope);
}
