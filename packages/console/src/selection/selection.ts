/** The records of a scope that a person selected, each as it was seen. */
import type { MemoryRecord } from '@agentkeep/client';

/** Most records at once, since one batch changes them. */
export const SELECTED_MAX = 256;

/** Records by their ids, with the revisions at which they were seen. */
export interface Selection {
  readonly records: ReadonlyMap<string, MemoryRecord>;
  /** The record that was chosen last, from which a range goes. */
  readonly anchor: string | undefined;
}

/** No records. */
export const NOTHING_SELECTED: Selection = { records: new Map(), anchor: undefined };

/** Adds records while there is room. Those that are selected stay as they were seen. */
export function withSelected(selection: Selection, added: readonly MemoryRecord[]): Selection {
  const records = new Map(selection.records);
  for (const record of added) {
    if (records.size >= SELECTED_MAX) break;
    if (!records.has(record.record_id)) records.set(record.record_id, record);
  }
  return { ...selection, records };
}

/** Takes records out. */
export function withoutSelected(selection: Selection, ids: readonly string[]): Selection {
  const records = new Map(selection.records);
  for (const id of ids) records.delete(id);
  return { ...selection, records };
}

/** Selects a record as it is now instead of how it was seen. */
export function withNewer(selection: Selection, record: MemoryRecord): Selection {
  return { ...selection, records: new Map(selection.records).set(record.record_id, record) };
}

/** Selects a record, or takes it out; of a range, all rows from the anchor on follow the record. */
export function toggled(
  selection: Selection,
  rows: readonly MemoryRecord[],
  { record, isRange }: { readonly record: MemoryRecord; readonly isRange: boolean },
): Selection {
  const { record_id: id } = record;
  const meant = isRange ? rowsBetween(rows, selection.anchor ?? id, id) : [record];
  const next = selection.records.has(id)
    ? withoutSelected(
        selection,
        meant.map((each) => each.record_id),
      )
    : withSelected(selection, meant);
  return { ...next, anchor: id };
}

/** Returns the rows from one to another, in that order. */
function rowsBetween(rows: readonly MemoryRecord[], from: string, to: string): MemoryRecord[] {
  const end = rows.findIndex((row) => row.record_id === to);
  const found = rows.findIndex((row) => row.record_id === from);
  const start = found === -1 ? end : found;
  const between = rows.slice(Math.min(start, end), Math.max(start, end) + 1);
  return start <= end ? between : between.toReversed();
}
