/**
 * Checks whether a history of transactions that read lists and append to them is serializable. The
 * order of each list shows which transaction came first. A cycle means that no serial order exists.
 */

/** Reads and writes of one transaction. */
export interface ListTransaction {
  readonly id: string;
  /** Time of the call and of the answer, in milliseconds. */
  readonly startedAt: number;
  readonly answeredAt: number;
  /** Lists by name as it read them; an absent list is empty. */
  readonly seen: ReadonlyMap<string, readonly string[]>;
  /** Names of the lists that it appended its id to. */
  readonly appended: readonly string[];
}

/**
 * Finds contradictions to every serial order.
 * @returns Sentences; none if the history is serializable.
 */
export function contradictions(
  history: readonly ListTransaction[],
  lists: ReadonlyMap<string, readonly string[]>,
): string[] {
  const wrong = history.flatMap((each) => [...misreadings(each, lists), ...misses(each, lists)]);
  const cycle = wrong.length === 0 ? findCycle(orderOf(history, lists)) : undefined;
  return cycle === undefined ? wrong : [...wrong, `in a cycle: ${cycle.join(' < ')}`];
}

/**
 * Adds failed transactions that were stored to the answered ones. Their times and reads are
 * unknown, but each must be stored once.
 */
export function withUnanswered(
  history: readonly ListTransaction[],
  lists: ReadonlyMap<string, readonly string[]>,
): ListTransaction[] {
  const answered = new Set(history.map(({ id }) => id));
  const others = [...lists.values()].flatMap((list) => list.filter((id) => !answered.has(id)));
  return [
    ...history,
    ...[...new Set(others)].map((id) => ({
      id,
      startedAt: 0,
      answeredAt: Infinity,
      seen: new Map<string, readonly string[]>(),
      appended: [...lists].filter(([, list]) => list.includes(id)).map(([name]) => name),
    })),
  ];
}

/** Reports lists that are not a prefix of their final state. */
function misreadings(
  { id, seen }: ListTransaction,
  lists: ReadonlyMap<string, readonly string[]>,
): string[] {
  return Array.from(seen).flatMap(([name, found]) => {
    const whole = lists.get(name) ?? [];
    const isBeginning = found.every((each, index) => each === whole[index]);
    return isBeginning
      ? []
      : [`${id} saw [${found.join()}] of ${name}, which is [${whole.join()}]`];
  });
}

/** Reports ids that are not stored exactly once. */
function misses(
  { id, appended }: ListTransaction,
  lists: ReadonlyMap<string, readonly string[]>,
): string[] {
  return appended.flatMap((name) => {
    const times = (lists.get(name) ?? []).filter((each) => each === id).length;
    return times === 1 ? [] : [`${id} is ${String(times)} times in ${name}`];
  });
}

/** Returns the transactions that must come after each transaction. */
function orderOf(
  history: readonly ListTransaction[],
  lists: ReadonlyMap<string, readonly string[]>,
): Map<string, Set<string>> {
  const after = new Map(history.map(({ id }) => [id, new Set<string>()]));
  const put = (first: string | undefined, second: string | undefined): void => {
    if (first !== undefined && second !== undefined && first !== second) {
      after.get(first)?.add(second);
    }
  };
  for (const list of lists.values()) list.forEach((id, index) => put(list[index - 1], id));
  for (const { id, seen } of history) {
    for (const [name, found] of seen) {
      put(found.at(-1), id);
      put(
        id,
        lists
          .get(name)
          ?.slice(found.length)
          .find((next) => next !== id),
      );
    }
  }
  for (const first of history) {
    for (const second of history) {
      if (first.answeredAt < second.startedAt) put(first.id, second.id);
    }
  }
  return after;
}

/** Searches depth first for a path that returns to itself. */
function findCycle(after: ReadonlyMap<string, ReadonlySet<string>>): string[] | undefined {
  const done = new Set<string>();
  const path: string[] = [];
  const steps: Iterator<string, undefined>[] = [after.keys()];
  while (steps.length > 0) {
    const step = steps.at(-1)?.next();
    if (step === undefined || step.done === true) {
      steps.pop();
      done.add(path.pop() ?? '');
    } else if (path.includes(step.value)) {
      return [...path.slice(path.indexOf(step.value)), step.value];
    } else if (!done.has(step.value)) {
      path.push(step.value);
      steps.push((after.get(step.value) ?? new Set<string>()).values());
    }
  }
  return undefined;
}
