/**
 * Histories of transactions that read lists and append to them, and whether some order of them,
 * one after the other, explains all that was seen. Each list tells in which order it was written,
 * so which transaction came before which can be read off; a circle means that there is no order.
 * @module
 */

/** What one transaction saw and did. */
export interface ListTransaction {
  readonly id: string;
  /** When it was asked for and when it was answered. */
  readonly startedAt: number;
  readonly answeredAt: number;
  /** Lists by name as it found them; a list that was not there is empty. */
  readonly seen: ReadonlyMap<string, readonly string[]>;
  /** Lists that it appended its id to. */
  readonly appended: readonly string[];
}

/**
 * Finds what contradicts every order.
 * @returns Sentences; none when the history can be explained.
 */
export function contradictions(
  history: readonly ListTransaction[],
  lists: ReadonlyMap<string, readonly string[]>,
): string[] {
  const wrong = history.flatMap((each) => [...misreadings(each, lists), ...misses(each, lists)]);
  const circle = wrong.length === 0 ? findCircle(orderOf(history, lists)) : undefined;
  return circle === undefined ? wrong : [...wrong, `in a circle: ${circle.join(' < ')}`];
}

/**
 * Adds transactions that failed to those that were answered, as far as they are found: nobody
 * knows when they came through or what they saw, but each is there once.
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

/** A list that was seen is a beginning of what it became. */
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

/** What was appended is there once. */
function misses(
  { id, appended }: ListTransaction,
  lists: ReadonlyMap<string, readonly string[]>,
): string[] {
  return appended.flatMap((name) => {
    const times = (lists.get(name) ?? []).filter((each) => each === id).length;
    return times === 1 ? [] : [`${id} is ${String(times)} times in ${name}`];
  });
}

/** Who has to come after whom. */
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

/** Goes down every path, depth first, until one meets itself. */
function findCircle(after: ReadonlyMap<string, ReadonlySet<string>>): string[] | undefined {
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
