/** Participants settle in their order, in each run of a body, and end with its transaction. */
import { expect, test } from 'vitest';
import { inMemoryStore } from '../in-memory-store/in-memory-store.js';
import { bytes, text } from '../store-testing/conformance-kit.js';
import { speculative } from '../store-testing/speculative-store.js';
import { storeOver } from '../store-testing/store-over.js';
import { type Participant, withParticipants } from './participant.js';
import type { Entry, KeyRange, WriteTx } from './store.js';

/** A view that notes the keys of the puts that pass through it. */
class Watched implements WriteTx {
  readonly puts: (string | undefined)[] = [];
  readonly #tx: WriteTx;

  constructor(tx: WriteTx) {
    this.#tx = tx;
  }

  get notes(): object[] {
    return this.#tx.notes;
  }

  get(key: Uint8Array): Uint8Array | undefined {
    return this.#tx.get(key);
  }

  range(range: KeyRange): Iterable<Entry> {
    return this.#tx.range(range);
  }

  put(key: Uint8Array, value: Uint8Array): void {
    this.puts.push(text(key));
    this.#tx.put(key, value);
  }

  remove(key: Uint8Array): void {
    this.#tx.remove(key);
  }

  append(prefix: Uint8Array, value: Uint8Array): void {
    this.#tx.append(prefix, value);
  }
}

/** Writes a key of its name, and tells the keys that passed through its view. */
function watching(name: string): Participant<void, Watched, readonly (string | undefined)[]> & {
  readonly seen: (readonly (string | undefined)[])[];
  failures: number;
} {
  return {
    seen: [],
    failures: 0,
    view: (tx) => new Watched(tx),
    settle: ({ tx, view }) => {
      tx.put(bytes(name), bytes(''));
      return view.puts;
    },
    committed(puts) {
      this.seen.push(puts);
    },
    failed() {
      this.failures += 1;
    },
  };
}

const write = (name: string) => (tx: WriteTx) => {
  tx.put(bytes(name), bytes(''));
};

test('each one sees the writes of the body and of those before it', async () => {
  const [first, second, third] = [watching('1'), watching('2'), watching('3')];
  const store = withParticipants(inMemoryStore(), [first, second, third]);
  await store.transact(write('body'));
  expect(first.seen).toEqual([['body']]);
  expect(second.seen).toEqual([['body', '1']]);
  expect(third.seen).toEqual([['body', '1', '2']]);
});

test('notes reach those that settle later, without those of an earlier run', async () => {
  const seen: number[] = [];
  const noting: Participant = {
    settle: ({ tx, notes }) => {
      seen.push(notes.length);
      tx.notes.push({});
    },
  };
  const below = inMemoryStore();
  const twice = storeOver(below, {
    transact: (body) =>
      below.transact((tx) => {
        body(tx);
        return body(tx);
      }),
  });
  await withParticipants(twice, [noting, noting]).transact((tx) => tx.notes.push({}));
  expect(seen).toEqual([1, 2, 1, 2]);
});

test('only what was settled in the run that counts is committed', async () => {
  const participant = watching('settled');
  const store = withParticipants(speculative(inMemoryStore()), [participant]);
  let runs = 0;
  await store.transact((tx) => {
    runs += 1;
    write(String(runs))(tx);
  });
  expect(runs).toBeGreaterThan(1);
  expect(participant.seen).toEqual([[String(runs)]]);
  expect(participant.failures).toBe(0);
});

test('a transaction that fails is told to all, and nothing of it is committed', async () => {
  const below = inMemoryStore();
  const [first, second] = [watching('1'), watching('2')];
  const refusing: Participant = {
    settle: () => {
      throw new Error('refused');
    },
  };
  const store = withParticipants(below, [first, refusing, second]);
  await expect(store.transact(write('body'))).rejects.toThrow('refused');
  const thrown = store.transact(() => {
    throw new Error('thrown');
  });
  await expect(thrown).rejects.toThrow('thrown');
  await expect(store.transact(() => Promise.resolve())).rejects.toThrow(TypeError);
  expect([first.failures, second.failures]).toEqual([3, 3]);
  expect([...first.seen, ...second.seen]).toEqual([]);
  expect((await below.stats()).entries).toBe(0);
});

test('each transaction is ended with what its beginning returned', async () => {
  const below = inMemoryStore();
  const answers: (() => void)[] = [];
  const late = storeOver(below, {
    transact: async (body) => {
      const result = await below.transact(body);
      await new Promise<void>((resolve) => answers.push(resolve));
      return result;
    },
  });
  let begun = 0;
  const ended: number[] = [];
  const counting: Participant<number> = {
    begin: () => (begun += 1),
    committed: (_, number) => ended.push(number),
  };
  const store = withParticipants(late, [counting]);
  const first = store.transact(write('a'));
  const second = store.transact(write('b'));
  await expect.poll(() => answers.length).toBe(2);
  for (const answer of answers.toReversed()) answer();
  await Promise.all([first, second]);
  expect(ended).toEqual([2, 1]);
});

test('reads go through the views of reads only, at once where the store offers it', async () => {
  const reading: Participant = {
    reading: (tx) => ({
      get: () => bytes('seen'),
      range: (range) => tx.range(range),
      horizon: () => tx.horizon(),
    }),
  };
  const read = watching('1');
  const store = withParticipants(inMemoryStore(), [read, reading]);
  expect(await store.read((tx) => text(tx.get(bytes('a'))))).toBe('seen');
  expect(read.seen).toEqual([]);
});
