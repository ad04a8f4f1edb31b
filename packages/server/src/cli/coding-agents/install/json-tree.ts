/** Reads JSON with comments and trailing commas, as hosts do, and keeps where each part stands. */

/** A value, from its first to behind its last character. */
export interface JsonNode {
  readonly from: number;
  readonly to: number;
  readonly value: unknown;
  /** Of an object. */
  readonly members?: readonly JsonMember[];
  /** Of an array. */
  readonly items?: readonly JsonNode[];
}

/** A member of an object; `from` is where its name begins. */
export interface JsonMember {
  readonly name: string;
  readonly from: number;
  readonly node: JsonNode;
}

/**
 * Returns the value of a text.
 * @throws {SyntaxError} with the line of what is no JSON.
 */
export function jsonTree(text: string): JsonNode {
  const reader = new Reader(text);
  const node = reader.value();
  reader.end();
  return node;
}

/** Returns the part of a value that a path of names leads to. */
export function nodeAt(node: JsonNode, path: readonly string[]): JsonNode | undefined {
  return path.reduce<JsonNode | undefined>(
    (at, name) => at?.members?.find((member) => member.name === name)?.node,
    node,
  );
}

/** Returns the position behind spaces and comments. */
export function afterSpaces(text: string, from: number): number {
  let at = from;
  for (;;) {
    const next = afterOne(text, at);
    if (next === at) return at;
    at = next;
  }
}

function afterOne(text: string, at: number): number {
  if (/\s/.test(text[at] ?? '')) return at + 1;
  const [mark, end] = text.startsWith('//', at) ? ['//', '\n'] : ['/*', '*/'];
  if (!text.startsWith(mark, at)) return at;
  const found = text.indexOf(end, at + mark.length);
  return found === -1 ? text.length : found + end.length;
}

class Reader {
  readonly #text: string;
  #at: number;

  constructor(text: string) {
    this.#text = text;
    this.#at = text.startsWith('\uFEFF') ? 1 : 0;
  }

  value(): JsonNode {
    this.#skip();
    const next = this.#text[this.#at];
    if (next === '{') return this.#object();
    if (next === '[') return this.#array();
    return this.#scalar();
  }

  end(): void {
    this.#skip();
    if (this.#at < this.#text.length) throw this.#fault();
  }

  #object(): JsonNode {
    const from = this.#at;
    const members: JsonMember[] = [];
    this.#each('}', () => {
      const name = this.#scalar();
      if (typeof name.value !== 'string') throw this.#fault();
      this.#skip();
      this.#take(':');
      members.push({ name: name.value, from: name.from, node: this.value() });
    });
    const value = Object.fromEntries(members.map(({ name, node }) => [name, node.value]));
    return { from, to: this.#at, value, members };
  }

  #array(): JsonNode {
    const from = this.#at;
    const items: JsonNode[] = [];
    this.#each(']', () => items.push(this.value()));
    return { from, to: this.#at, value: items.map(({ value }) => value), items };
  }

  #each(close: string, read: () => void): void {
    this.#at += 1;
    for (;;) {
      this.#skip();
      if (this.#text[this.#at] === close) break;
      read();
      this.#skip();
      if (this.#text[this.#at] === close) break;
      this.#take(',');
    }
    this.#at += 1;
  }

  #scalar(): JsonNode {
    const from = this.#at;
    const form = /"(?:[^"\\\n]|\\.)*"|[-+\w.]+/y;
    form.lastIndex = from;
    const found = form.exec(this.#text)?.[0];
    if (found === undefined) throw this.#fault();
    try {
      const value: unknown = JSON.parse(found);
      this.#at = form.lastIndex;
      return { from, to: this.#at, value };
    } catch {
      throw this.#fault();
    }
  }

  /** Passes over spaces and comments. */
  #skip(): void {
    this.#at = afterSpaces(this.#text, this.#at);
  }

  #take(sign: string): void {
    if (this.#text[this.#at] !== sign) throw this.#fault();
    this.#at += 1;
  }

  #fault(): SyntaxError {
    const line = this.#text.slice(0, this.#at).split('\n').length;
    return new SyntaxError(`line ${line} is no JSON`);
  }
}
