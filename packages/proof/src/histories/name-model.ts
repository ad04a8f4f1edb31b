/** Model of the names of a scope: which record each has, and what was done under each key. */
import type { Shown } from './call.js';
import type { SequentialModel } from './linearizability.js';
import { type NamedChange, type NamedCommand, namedIdentity, type Outcome } from './named-call.js';

/** An event of the names of a scope. */
export type NameEvent =
  | {
      readonly type: 'command';
      readonly command: NamedCommand;
      readonly author: string;
      /** Absent if the outcome is unknown. */
      readonly outcomes?: readonly Outcome[];
    }
  | { readonly type: 'conflict' | 'absence'; readonly command: NamedCommand }
  /** `undefined` if no record has the name. */
  | { readonly type: 'look'; readonly name: string; readonly shown: Shown | undefined }
  | { readonly type: 'list'; readonly shown: readonly Shown[] };

/** The record of a name. */
interface Named {
  /** Absent while no answer has told it. */
  readonly recordId: string | undefined;
  readonly revision: number;
  readonly text: string;
  readonly author: string;
}

/** A command that took effect. */
interface Done {
  readonly command: string;
  readonly outcomes: readonly PossibleOutcome[];
}

type PossibleOutcome = Omit<Outcome, 'recordId'> & Pick<Named, 'recordId'>;

interface State {
  readonly named: ReadonlyMap<string, Named>;
  /** By subject and key. */
  readonly done: ReadonlyMap<string, Done>;
}

/** The model of all names of a scope together, so that half a batch is a contradiction. */
export const nameModel: SequentialModel<State, NameEvent> = {
  initial: { named: new Map(), done: new Map() },
  next: nextState,
  keyOf({ named, done }) {
    const names = [...named].toSorted(([one], [other]) => (one < other ? -1 : 1));
    return JSON.stringify([
      names,
      [...done].map(([key, { outcomes }]) => [key, outcomes]).toSorted(),
    ]);
  },
};

function nextState(state: State, event: NameEvent): State | undefined {
  switch (event.type) {
    case 'command':
      return afterCommand(state, event);
    case 'look':
      return isShown(state.named.get(event.name), event.shown) ? state : undefined;
    case 'list':
      return isWhole(state, event.shown) ? state : undefined;
    case 'conflict':
    case 'absence': {
      const applied = state.done.has(slotOf(event.command)) ? undefined : apply(state, event, '');
      return applied === event.type ? state : undefined;
    }
  }
}

function afterCommand(
  state: State,
  event: Extract<NameEvent, { type: 'command' }>,
): State | undefined {
  const { command, author, outcomes } = event;
  const slot = slotOf(command);
  const known = state.done.get(slot);
  if (known !== undefined) {
    // Without an answer it had no effect, and needs no place in the order.
    const isSame = outcomes !== undefined && known.command === namedIdentity(command);
    return isSame && areSame(known.outcomes, outcomes) ? state : undefined;
  }
  const applied = apply(state, event, author);
  if (typeof applied === 'string') return undefined;
  if (outcomes !== undefined && !areSame(applied.outcomes, outcomes)) return undefined;
  const told = outcomes ?? applied.outcomes;
  const named = new Map(applied.named);
  for (const [name, at] of applied.named) {
    const index = command.changes.findLastIndex((change) => change.name === name);
    const recordId = at.recordId ?? told[index]?.recordId;
    named.set(name, { ...at, recordId });
  }
  const done = { command: namedIdentity(command), outcomes: told };
  return { named, done: new Map([...state.done, [slot, done]]) };
}

/** What a command makes of the names, or how it is refused. */
type Applied =
  | { readonly named: ReadonlyMap<string, Named>; readonly outcomes: readonly PossibleOutcome[] }
  | 'conflict'
  | 'absence';

function apply(
  { named }: State,
  { command }: { readonly command: NamedCommand },
  author: string,
): Applied {
  const after = new Map(named);
  const outcomes: PossibleOutcome[] = [];
  for (const change of command.changes) {
    const before = after.get(change.name);
    const refusal = refusalOf(before, change);
    if (refusal !== undefined) return refusal;
    const revision = (before?.revision ?? 0) + 1;
    const recordId = before?.recordId;
    if (change.type === 'remove') after.delete(change.name);
    else after.set(change.name, { recordId, revision, text: change.text, author });
    outcomes.push({ recordId, revision, action: actionOf(before, change) });
  }
  return { named: after, outcomes };
}

function refusalOf(
  before: Named | undefined,
  { type, expectedRevision }: NamedChange,
): 'conflict' | 'absence' | undefined {
  if (before === undefined) {
    const isWanted = type === 'remove' || (expectedRevision ?? 0) > 0;
    return isWanted ? 'absence' : undefined;
  }
  const isExpected = expectedRevision === undefined || expectedRevision === before.revision;
  return isExpected ? undefined : 'conflict';
}

function actionOf(before: Named | undefined, { type }: NamedChange): string {
  if (type === 'remove') return 'deleted';
  return before === undefined ? 'created' : 'updated';
}

function slotOf({ subject, key }: NamedCommand): string {
  return JSON.stringify([subject, key]);
}

function areSame(known: readonly PossibleOutcome[], told: readonly Outcome[]): boolean {
  return (
    known.length === told.length &&
    known.every(({ recordId, revision, action }, index) => {
      const other = told[index];
      const isRecord = recordId === undefined || recordId === other?.recordId;
      return isRecord && revision === other?.revision && action === other.action;
    })
  );
}

function isShown(named: Named | undefined, shown: Shown | undefined): boolean {
  if (named === undefined || shown === undefined) return named === shown;
  const { recordId = shown.recordId, revision, text, author } = named;
  return (
    recordId === shown.recordId &&
    revision === shown.revision &&
    text === shown.text &&
    author === shown.author
  );
}

function isWhole({ named }: State, shown: readonly Shown[]): boolean {
  if (named.size !== shown.length) return false;
  return shown.every(
    (each) => isShown(named.get(each.name ?? ''), each) && each.name !== undefined,
  );
}
