/** The filter of a query of memory, which looks at whole texts (docs/contract/memory.md#mem-63). */
import type { MemoryRecord, QueryPage, RecordInput } from '@agentkeep/core';
import { sorted } from './memory-command.js';
import { type Entry, visible } from './memory-history.js';
import { equated } from './search/equated.js';

/** The filter of a query as the contract writes it. */
export interface Filter {
  readonly limit?: number;
  readonly scan_limit?: number;
  readonly after?: string;
  readonly text_contains?: string;
  readonly episode_type?: RecordInput['episode_type'];
  readonly tag?: string;
  readonly tags?: string[];
  readonly source?: RecordInput['source'];
  readonly derived_from?: { readonly record_id: string; readonly revision?: number };
}

/** Returns the page of a query over the records of a scope, by their ids. */
export function queryPage(
  entries: ReadonlyMap<string, Entry>,
  filter: Filter & Required<Pick<Filter, 'limit' | 'scan_limit' | 'after'>>,
  now: number,
): QueryPage {
  const start = filter.after.toLowerCase();
  const records: MemoryRecord[] = [];
  let scanned_records = 0;
  for (const id of [...entries.keys()].filter((each) => each > start).sort()) {
    scanned_records += 1;
    const shown = visible(entries.get(id)!, now);
    if (shown !== undefined && matches(shown, filter)) records.push(shown);
    if (records.length === filter.limit || scanned_records === filter.scan_limit) {
      return { records, next_after: id, scanned_records };
    }
  }
  return { records, next_after: null, scanned_records };
}

/** Whether a record matches all members of a filter. */
function matches({ payload }: MemoryRecord, filter: Filter): boolean {
  const { text_contains, episode_type, tag, tags = [], source, derived_from } = filter;
  const { primary, secondary, context } = payload.content;
  const wanted = equated(text_contains ?? '');
  return (
    [primary, secondary ?? '', context ?? ''].some((part) => equated(part).includes(wanted)) &&
    (episode_type === undefined || sorted(episode_type) === sorted(payload.episode_type)) &&
    [...tags, ...(tag === undefined ? [] : [tag])].every((each) => payload.tags.includes(each)) &&
    (source === undefined || source === payload.source) &&
    isDerivedFrom(payload, derived_from)
  );
}

/** Whether a payload was derived from a record, if one is wanted. */
export function isDerivedFrom(
  { derived_from = [] }: MemoryRecord['payload'],
  wanted:
    | { readonly record_id: string; readonly revision?: number | null | undefined }
    | null
    | undefined,
): boolean {
  if (!wanted) return true;
  const { record_id, revision } = wanted;
  return derived_from.some(
    (each) =>
      each.record_id === record_id.toLowerCase() && (!revision || each.revision === revision),
  );
}
