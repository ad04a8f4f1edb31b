/** Decides which namespaces a listing shows. */
import type { ListNamespacesOperation, MatchCondition } from '@langchain/langgraph-checkpoint';

/** Returns the longest prefix that every namespace of a listing has, without wildcards. */
export function commonPrefix(conditions: readonly MatchCondition[] = []): string[] {
  const prefixes = conditions
    .filter(({ matchType }) => matchType === 'prefix')
    .map(({ path }) => (path.includes('*') ? path.slice(0, path.indexOf('*')) : path));
  return prefixes.reduce((longest, each) => (each.length > longest.length ? each : longest), []);
}

/** Returns the namespaces that are listed, by their labels in the order of UTF-16 units. */
export function listed(
  namespaces: readonly string[][],
  { matchConditions = [], maxDepth, limit, offset }: Partial<ListNamespacesOperation>,
): string[][] {
  const matching = namespaces.filter((each) =>
    matchConditions.every((condition) => matches(condition, each)),
  );
  const cut = matching.map((each) => (maxDepth === undefined ? each : each.slice(0, maxDepth)));
  const distinct = [...new Map(cut.map((each) => [JSON.stringify(each), each])).values()];
  const from = offset ?? 0;
  return distinct.sort(compareLabels).slice(from, limit === undefined ? undefined : from + limit);
}

function matches({ matchType, path }: MatchCondition, namespace: readonly string[]): boolean {
  if (path.length > namespace.length) return false;
  const from = matchType === 'prefix' ? 0 : namespace.length - path.length;
  return path.every((label, index) => label === '*' || label === namespace[from + index]);
}

function compareLabels(one: readonly string[], other: readonly string[]): number {
  const index = one.findIndex((label, at) => label !== other[at]);
  const [label, against] = [one[index], other[index]];
  if (label === undefined) return one.length - other.length;
  return against === undefined || label > against ? 1 : -1;
}
