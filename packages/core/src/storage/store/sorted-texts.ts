/**
 * Texts in ascending order, to which more are added one at a time: a B+ tree of small nodes, so
 * that each addition and each look-up takes a logarithmic number of steps.
 */

/** Most texts of a leaf and most children of an inner node. */
const NODE_ENTRIES_MAX = 32;

/** Bounds of a walk. */
export interface TextSpan {
  /** The first text that may be returned. */
  readonly from: string;
  /** The first text that is beyond the end. */
  readonly to: string;
  readonly reverse?: boolean | undefined;
}

interface Leaf {
  readonly isLeaf: true;
  readonly texts: string[];
}

interface Inner {
  readonly isLeaf: false;
  /** The least text of each child but the first: those below it are in an earlier child. */
  readonly bounds: string[];
  readonly children: Node[];
}

type Node = Leaf | Inner;

/** A node that was split off, with its least text. */
interface Split {
  readonly bound: string;
  readonly node: Node;
}

/** An ascending set of distinct texts. Nothing is ever removed. */
export class SortedTexts {
  readonly #isLess: (one: string, other: string) => boolean;
  #root: Node = { isLeaf: true, texts: [] };

  /** `isLess` replaces the comparison, for tests that count. It must give the same order. */
  constructor(isLess: (one: string, other: string) => boolean = (one, other) => one < other) {
    this.#isLess = isLess;
  }

  /** Adds a text that is not in the set yet. */
  add(text: string): void {
    const split = this.#insert(this.#root, text);
    if (split === undefined) return;
    this.#root = { isLeaf: false, bounds: [split.bound], children: [this.#root, split.node] };
  }

  /** Walks the texts of a span, one step at a time. Add nothing while a walk is open. */
  within({ from, to, reverse = false }: TextSpan): IterableIterator<string> {
    return reverse ? this.#descend(this.#root, from, to) : this.#ascend(this.#root, from, to);
  }

  #insert(node: Node, text: string): Split | undefined {
    if (node.isLeaf) {
      node.texts.splice(this.#countBelow(node.texts, text), 0, text);
      return node.texts.length > NODE_ENTRIES_MAX ? splitLeaf(node) : undefined;
    }
    const index = this.#childOf(node, text);
    const split = this.#insert(at(node.children, index), text);
    if (split === undefined) return undefined;
    node.bounds.splice(index, 0, split.bound);
    node.children.splice(index + 1, 0, split.node);
    return node.children.length > NODE_ENTRIES_MAX ? splitInner(node) : undefined;
  }

  *#ascend(node: Node, from: string, to: string): Generator<string, void, undefined> {
    if (node.isLeaf) {
      const { texts } = node;
      for (let index = this.#countBelow(texts, from); index < texts.length; index += 1) {
        const text = at(texts, index);
        if (!this.#isLess(text, to)) return;
        yield text;
      }
      return;
    }
    const { bounds, children } = node;
    for (let index = this.#childOf(node, from); index < children.length; index += 1) {
      if (index > 0 && !this.#isLess(at(bounds, index - 1), to)) return;
      yield* this.#ascend(at(children, index), from, to);
    }
  }

  *#descend(node: Node, from: string, to: string): Generator<string, void, undefined> {
    if (node.isLeaf) {
      const { texts } = node;
      for (let index = this.#countBelow(texts, to) - 1; index >= 0; index -= 1) {
        const text = at(texts, index);
        if (this.#isLess(text, from)) return;
        yield text;
      }
      return;
    }
    const { bounds, children } = node;
    for (let index = this.#countBelow(bounds, to); index >= 0; index -= 1) {
      yield* this.#descend(at(children, index), from, to);
      if (index > 0 && !this.#isLess(from, at(bounds, index - 1))) return;
    }
  }

  /** Returns the index of the child that a text belongs to. */
  #childOf({ bounds }: Inner, text: string): number {
    const below = this.#countBelow(bounds, text);
    return bounds[below] === text ? below + 1 : below;
  }

  /** Returns how many of some ascending texts are less than a text. */
  #countBelow(texts: readonly string[], text: string): number {
    let low = 0;
    let high = texts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#isLess(at(texts, middle), text)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function splitLeaf(leaf: Leaf): Split {
  const texts = leaf.texts.splice(leaf.texts.length >>> 1);
  return { bound: at(texts, 0), node: { isLeaf: true, texts } };
}

function splitInner(inner: Inner): Split {
  const half = inner.children.length >>> 1;
  const children = inner.children.splice(half);
  const [bound = '', ...bounds] = inner.bounds.splice(half - 1);
  return { bound, node: { isLeaf: false, bounds, children } };
}

function at<T>(list: readonly T[], index: number): T {
  return list[index] as T;
}
