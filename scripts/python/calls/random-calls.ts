/** Random calls of the memory of an agent as JSON, which each client plays in its own language. */
import type { Random } from '../../../packages/testkit/src/random.ts';

/** A value as JSON. What JSON can't write is an object with the member `$`. */
export type Coded = unknown;

/** A call. Arguments stand for the same thing in each language. */
export interface RandomCall {
  readonly method: string;
  readonly given: Readonly<Record<string, Coded>>;
}

const unknownId = '00000000-0000-4000-8000-000000000000';
const texts = [
  ...['tea', 'The customer prefers green tea.', 'क्या दुकान खुली है?', '가게는 열어요', 'naïve café'],
  ...['x\u0000y', '\u200b', 'tab\there', '😀 tea', 'Ünïcødé ﬁ ½', '"quoted" \\ back', 'TEA Tea'],
];
const names = ['n1', 'n2', 'a name', 'ключ', '😀'];
const values: readonly Coded[] = [
  ...[null, true, 1, 0, -1.5, 1e21, 2 ** 53, 5e-324, 1.797_693_134_862_315_7e308, 0.1, [], {}],
  ...[{ $: 'minus zero' }, { $: 'integer', digits: '26278409323908150' }],
  ...[{ ['__proto__']: 2, constructor: 1 }, { $: 'deep', levels: 30 }, ...texts],
];
const badNumbers: readonly Coded[] = [
  ...['9007199254740993', '-1234567890123456789', '1152921504606846976'].map((digits) => ({
    $: 'integer',
    digits,
  })),
  ...[{ $: 'integer', digits: `1${'0'.repeat(400)}` }],
  ...['nan', 'infinity', 'minus infinity'].map(($) => ({ $ })),
];
const odd: readonly Coded[] = [
  ...['bytes', 'set', 'function', 'cycle', 'object'].map(($) => ({ $ })),
  ...[
    { $: 'deep', levels: 80 },
    { $: 'deep', levels: 5_000 },
  ],
  ...['\ud83d', 'x\udc00y', { '\ud83d': 1 }, { 'a b': { $: 'nan' } }, { $: 'time', ms: 0 }],
];
const badTexts: readonly Coded[] = [
  ...['', ' ', '\ud83d', 'x\udc00y', 7, true, ['tea'], { text: 'tea' }],
  ...[{ $: 'long', of: 'é', times: 20_000 }, { $: 'nan' }, { $: 'bytes' }, { $: 'time', ms: 0 }],
];
const badNames: readonly Coded[] = [
  ...['', ' ', 'a\u0000b', '\ud83d', 7, { $: 'long', of: 'n', times: 513 }, ['n1'], { $: 'nan' }],
];
const badTags: readonly Coded[] = ['a', [7], [''], { $: 'set' }, ['\ud83d'], 7, [['a']], { a: 1 }];
const badCounts: readonly Coded[] = [
  ...[0, -1, 1.5, 2 ** 53, 1_000_000, '3', true, [1], { $: 'nan' }, { $: 'infinity' }],
];
const badRevisions: readonly Coded[] = [-1, 1.5, 2 ** 53, '1', true, [1], { $: 'nan' }];
const badIds: readonly Coded[] = ['x', '', 7, '\ud83d', '../x', 'a/b', '%2e', [unknownId], true];
const badFilters: readonly Coded[] = ['tea', 7, { member: 1 }, { $: 'nan' }, { $: 'cycle' }];
const badRecords: readonly Coded[] = ['tea', 7, [], {}, { content: {} }, ...odd];
const badObjects: readonly Coded[] = [1, 'x', [1], true, ...odd];

/** Makes random calls. */
export class CallMaker {
  readonly #random: Random;
  #made = 0;
  /** The last write, so that some are sent again with the same key. */
  #last: RandomCall | undefined;
  /** Whether the call has a fault. It gets one at most, so that every client names the same. */
  #isFaulty = false;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Returns some calls. */
  calls(count: number): RandomCall[] {
    return Array.from({ length: count }, () => this.#call());
  }

  #call(): RandomCall {
    this.#made += 1;
    if (this.#last !== undefined && this.#random(12) === 0) return this.#last;
    this.#isFaulty = false;
    const method = this.#of([...Object.keys(this.#shapes), 'remember', 'put', 'create', 'recall']);
    const given = this.#shapes[method]?.() ?? {};
    const call = { method, given };
    if ('key' in given) this.#last = call;
    return call;
  }

  readonly #shapes: Record<string, () => Record<string, Coded>> = {
    remember: () => ({
      text: this.#text(),
      ...this.#maybe('name', () => this.#name()),
      ...this.#maybe('tags', () => this.#tags()),
      ...this.#maybe('metadata', () => this.#object()),
      at: { $: 'time', ms: this.#made },
      key: this.#key(),
    }),
    recall: () => ({
      question: this.#text(),
      ...this.#maybe('limit', () => this.#count()),
      ...this.#maybe('filter', () => this.#filter()),
    }),
    create: () => ({ record: this.#record(), key: this.#key() }),
    put: () => ({
      name: this.#name(),
      record: this.#record(),
      ...this.#maybe('revision', () => this.#revision()),
      key: this.#key(),
    }),
    update: () => ({
      id: this.#id(),
      revision: this.#revision(),
      record: this.#record(),
      key: this.#key(),
    }),
    delete: () => ({ id: this.#id(), revision: this.#revision(), key: this.#key() }),
    remove: () => ({ name: this.#name(), key: this.#key() }),
    restore: () => ({ id: this.#id(), old: this.#revision(), revision: this.#revision() }),
    redact: () => ({ id: this.#id(), old: this.#revision() }),
    read: () => ({ id: this.#id(), ...this.#maybe('old', () => this.#revision()) }),
    named: () => ({ name: this.#name() }),
    history: () => ({ id: this.#id(), ...this.#maybe('limit', () => this.#count()) }),
    query: () => ({
      ...this.#maybe('text_contains', () => this.#text()),
      ...this.#maybe('tag', () => this.#text()),
      ...this.#maybe('limit', () => this.#count()),
    }),
    search: () => ({ filter: this.#filter(), ...this.#maybe('limit', () => this.#count()) }),
    count: () => ({ filter: this.#filter() }),
    batch: () => ({
      changes: Array.from({ length: this.#random(3) }, () =>
        this.#random(2) === 0
          ? { type: 'create', record: this.#record() }
          : { type: 'put', name: this.#name(), record: this.#record() },
      ),
      key: this.#key(),
    }),
    changes: () => this.#maybe('limit', () => this.#count()),
  };

  #of<T>(all: readonly T[]): T {
    return all[this.#random(all.length)] as T;
  }

  #maybe(name: string, make: () => Coded): Record<string, Coded> {
    return this.#random(2) === 0 ? { [name]: make() } : {};
  }

  /** Whether the next argument is to be the fault of the call: one in so many. */
  #isFault(oneIn: number): boolean {
    if (this.#isFaulty || this.#random(oneIn) > 0) return false;
    this.#isFaulty = true;
    return true;
  }

  #text(): Coded {
    return this.#isFault(8) ? this.#of(badTexts) : this.#of(texts);
  }

  #name(): Coded {
    return this.#isFault(8) ? this.#of(badNames) : this.#of(names);
  }

  #tags(): Coded {
    return this.#isFault(6) ? this.#of(badTags) : this.#of([['a'], ['a', 'b'], []]);
  }

  #count(): Coded {
    return this.#isFault(4) ? this.#of(badCounts) : this.#of([1, 3, 100]);
  }

  #revision(): Coded {
    return this.#isFault(8) ? this.#of(badRevisions) : this.#of([1, 1, 2, 3]);
  }

  #id(): Coded {
    if (this.#isFault(8)) return this.#of(badIds);
    return this.#random(12) === 0 ? unknownId : { $: 'id', at: this.#random(this.#made) };
  }

  #key(): Coded {
    return this.#isFault(30) ? this.#of(badNames) : `k${this.#made}`;
  }

  #filter(): Coded {
    if (this.#isFault(10)) return this.#of(badFilters);
    return {
      ...this.#maybe('text_contains', () => this.#text()),
      ...this.#maybe('tags', () => ({ any: this.#tags() })),
    };
  }

  #record(): Coded {
    if (this.#isFault(20)) return this.#of(badRecords);
    return {
      content: {
        primary: this.#text(),
        ...this.#maybe('secondary', () => this.#text()),
        ...this.#maybe('data', () => this.#value(2)),
      },
      event_time_millis: this.#isFault(15) ? this.#of(badNumbers) : this.#made,
      ...this.#maybe('tags', () => this.#tags()),
      ...this.#maybe('metadata', () => this.#object()),
    };
  }

  #object(): Coded {
    if (this.#isFault(8)) return this.#of(badObjects);
    return { v: this.#value(2), 'a b': this.#value(0) };
  }

  #value(depth: number): Coded {
    if (this.#isFault(8)) return this.#of([...odd, ...badNumbers]);
    if (depth === 0 || this.#random(2) === 0) return this.#of(values);
    const inner = (): Coded => this.#value(depth - 1);
    return this.#random(2) === 0 ? [inner(), inner()] : { m: inner(), n: inner() };
  }
}
