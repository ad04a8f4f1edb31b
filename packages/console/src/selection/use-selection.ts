/** A hook for what is selected in a scope. It stays while other screens are shown. */
import type { MemoryRecord } from '@agentkeep/client';
import { signal, type Signal } from '@preact/signals';
import type { ShownScope } from '../scopes/scope-query.js';
import type { Caller } from '../session/caller.js';
import { NOTHING_SELECTED, type Selection } from './selection.js';

interface PlacedSelection {
  readonly place: string;
  readonly selection: Selection;
}

/** Forgotten with the caller, when the session ends. */
const selections = new WeakMap<Caller, Signal<PlacedSelection>>();

/** What is selected in a scope, and how it changes. */
export interface RecordSelection {
  readonly records: ReadonlyMap<string, MemoryRecord>;
  /** Returns whether a record is selected, also just after a change. */
  readonly has: (id: string) => boolean;
  readonly change: (next: (before: Selection) => Selection) => void;
}

/** Returns what is selected in a scope. Another scope begins with nothing. */
export function useSelection(caller: Caller, shown: ShownScope): RecordSelection {
  const held = heldBy(caller);
  const place = JSON.stringify(shown);
  const current = ({ place: at, selection }: PlacedSelection): Selection =>
    at === place ? selection : NOTHING_SELECTED;
  return {
    records: current(held.value).records,
    has: (id) => current(held.peek()).records.has(id),
    change: (next) => {
      held.value = { place, selection: next(current(held.peek())) };
    },
  };
}

function heldBy(caller: Caller): Signal<PlacedSelection> {
  const known = selections.get(caller);
  if (known !== undefined) return known;
  const made = signal<PlacedSelection>({ place: '', selection: NOTHING_SELECTED });
  selections.set(caller, made);
  return made;
}
