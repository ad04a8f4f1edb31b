/** Tags that find the items of a namespace and of those below it. */
import { pathOf } from '../record-names.js';

/** Every item has this tag. */
const ITEM_TAG = 'langgraph:item';

/** Begins the tag of the namespace that an item is in. */
const OF = 'langgraph:item-of:';

/** Returns the tag of all items in a namespace and below it. */
export function tagBelow(prefix: readonly string[]): string {
  return prefix.length === 0 ? ITEM_TAG : `langgraph:item-in:${pathOf(prefix)}`;
}

/** Returns the tags of an item: one for each prefix of its namespace, and one for the whole. */
export function tagsOf(namespace: readonly string[]): string[] {
  const below = [undefined, ...namespace].map((_, depth) => tagBelow(namespace.slice(0, depth)));
  return [...below, `${OF}${pathOf(namespace)}`];
}

/** Returns the namespace that a tag says an item is in, or `undefined` for any other tag. */
export function namespaceOf(tag: string): string[] | undefined {
  if (!tag.startsWith(OF)) return undefined;
  return tag.slice(OF.length).split('/').map(decodeURIComponent);
}
