/** What every replication target does, as cases, and a target in memory that fails on demand. */
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  LISTED_NAMES_MAX,
  type ReplicaTarget,
  requireObjectName,
  targetUnavailable,
} from '../src/upkeep/replication/targets/replica-target.js';

/** Objects of all targets that share it. */
export class MemoryObjects {
  readonly objects = new Map<string, Uint8Array>();
  /** Called before each access by its name, or `list`, and after a creation; may throw. */
  onAccess: (name: string, after: boolean) => void = () => undefined;
  /** What each access waits for, so that a test chooses their order. */
  turn: () => Promise<unknown> = () => Promise.resolve();
}

/** A target in memory. Two over the same objects are two writers of one target. */
export class MemoryTarget implements ReplicaTarget {
  readonly address = 'memory';
  readonly #shared: MemoryObjects;

  constructor(shared = new MemoryObjects()) {
    this.#shared = shared;
  }

  async list(prefix: string, after = ''): Promise<string[]> {
    await this.#access(undefined);
    const names = [...this.#shared.objects.keys()].filter(
      (name) => name.startsWith(prefix) && name > after,
    );
    return names.sort().slice(0, LISTED_NAMES_MAX);
  }

  async read(name: string): Promise<Uint8Array | undefined> {
    await this.#access(name);
    const found = this.#shared.objects.get(name);
    return found && Uint8Array.from(found);
  }

  async create(name: string, bytes: Uint8Array): Promise<boolean> {
    await this.#access(name);
    if (this.#shared.objects.has(name)) return false;
    this.#shared.objects.set(name, Uint8Array.from(bytes));
    await this.#access(name, true);
    return true;
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    await this.#access(name);
    this.#shared.objects.set(name, Uint8Array.from(bytes));
  }

  async createFrom(name: string, file: string): Promise<boolean> {
    return this.create(name, await readFile(file));
  }

  async readTo(name: string, file: string): Promise<boolean> {
    const found = await this.read(name);
    if (found !== undefined) await writeFile(file, found, { flag: 'wx' });
    return found !== undefined;
  }

  async remove(name: string): Promise<void> {
    await this.#access(name);
    this.#shared.objects.delete(name);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** Takes a turn, as a network does, so that calls interleave. */
  async #access(name: string | undefined, after = false): Promise<void> {
    if (name !== undefined) requireObjectName(name);
    await this.#shared.turn();
    try {
      this.#shared.onAccess(name ?? 'list', after);
    } catch (error) {
      throw targetUnavailable(this.address, error);
    }
  }
}

/** A kind of target. `open` opens the same objects each time until `clear`. */
export interface TargetSubject {
  readonly name: string;
  open(): Promise<ReplicaTarget>;
}

const bytes = (text: string): Uint8Array => Buffer.from(text);

async function textIn(target: ReplicaTarget, name: string): Promise<string | undefined> {
  const found = await target.read(name);
  return found && Buffer.from(found).toString();
}

/** Two openings of the same objects, and a folder for files. */
interface TargetKit {
  target: ReplicaTarget;
  other: ReplicaTarget;
  home: string;
}

/** Declares the cases that every target passes. The subject begins without objects. */
export function replicaTargetCases(subject: TargetSubject): void {
  describe(`replication target: ${subject.name}`, () => {
    const kit = {} as TargetKit;

    beforeAll(async () => {
      kit.home = await mkdtemp(join(tmpdir(), 'agentkeep-target-'));
      kit.target = await subject.open();
      kit.other = await subject.open();
    });

    afterAll(async () => {
      await kit.target.close();
      await kit.other.close();
      await rm(kit.home, { recursive: true });
    });

    objectCases(kit);
    listCases(kit);
  });
}

function objectCases(kit: TargetKit): void {
  test('REP-41 an object is created once, and stays as it was created', async () => {
    const { target, other } = kit;
    expect(await target.create('once/a', bytes('first'))).toBe(true);
    expect(await other.create('once/a', bytes('second'))).toBe(false);
    expect(await textIn(other, 'once/a')).toBe('first');
  });

  test('REP-41 of many writers at once exactly one creates an object, whole', async () => {
    const { target, other } = kit;
    const texts = Array.from({ length: 8 }, (_, at) => String(at).repeat(100_000));
    const made = await Promise.all(
      texts.map((text, at) => (at % 2 ? target : other).create('race/a', bytes(text))),
    );
    expect(made.filter(Boolean)).toHaveLength(1);
    expect(await textIn(target, 'race/a')).toBe(texts[made.indexOf(true)]);
  });

  test('what is absent reads as absent, and can be removed', async () => {
    const { target } = kit;
    expect(await target.read('absent/a')).toBeUndefined();
    expect(await target.readTo('absent/a', join(kit.home, 'absent'))).toBe(false);
    await expect(stat(join(kit.home, 'absent'))).rejects.toMatchObject({ code: 'ENOENT' });
    await target.remove('absent/a');
    expect(await target.list('absent/')).toEqual([]);
  });

  test('an empty object is an object', async () => {
    const { target, other } = kit;
    expect(await target.create('empty/a', new Uint8Array())).toBe(true);
    expect(await textIn(other, 'empty/a')).toBe('');
    expect(await other.create('empty/a', bytes('x'))).toBe(false);
  });

  test('put replaces, and a removed name can be created again', async () => {
    const { target, other } = kit;
    await target.put('put/a', bytes('one'));
    await other.put('put/a', bytes('two'));
    expect(await textIn(target, 'put/a')).toBe('two');
    await target.remove('put/a');
    expect(await other.read('put/a')).toBeUndefined();
    expect(await other.create('put/a', bytes('three'))).toBe(true);
  });
}

function listCases(kit: TargetKit): void {
  test('names are listed below a prefix, in order, and after one of them', async () => {
    const { target, other } = kit;
    for (const name of ['list/b', 'list/a', 'list/c/d', 'list-2/a', 'lis']) {
      await target.create(name, bytes(name));
    }
    expect(await other.list('list/')).toEqual(['list/a', 'list/b', 'list/c/d']);
    expect(await other.list('list/', 'list/a')).toEqual(['list/b', 'list/c/d']);
    expect(await other.list('list/', 'list/bb')).toEqual(['list/c/d']);
    expect(await other.list('list/', 'list/z')).toEqual([]);
  });

  test('a listing has at most 1,000 names, and goes on after its last one', async () => {
    const { target, other } = kit;
    const names = Array.from({ length: 1_003 }, (_, at) => `many/${String(at).padStart(5, '0')}`);
    for (let at = 0; at < names.length; at += 50) {
      await Promise.all(names.slice(at, at + 50).map((name) => target.create(name, bytes('x'))));
    }
    const first = await other.list('many/');
    expect(first).toEqual(names.slice(0, LISTED_NAMES_MAX));
    expect(await other.list('many/', first.at(-1))).toEqual(names.slice(LISTED_NAMES_MAX));
  });

  test('files of several megabytes go there once and come back the same', async () => {
    const { target, other } = kit;
    const source = join(kit.home, 'source');
    const content = Buffer.alloc(11 * 1_048_576 + 7, 'replica');
    await writeFile(source, content);
    expect(await target.createFrom('file/a', source)).toBe(true);
    expect(await other.createFrom('file/a', join(kit.home, 'source'))).toBe(false);
    const copy = join(kit.home, 'copy');
    expect(await other.readTo('file/a', copy)).toBe(true);
    expect((await readFile(copy)).equals(content)).toBe(true);
    await expect(other.readTo('file/a', copy)).rejects.toThrow();
  });

  test.each(['', '/a', 'a/', '../a', 'a/../b', 'A', 'a b', '.unfinished/a'])(
    'refuses the name %j',
    async (name) => {
      await expect((async () => kit.target.create(name, bytes('x')))()).rejects.toThrow(TypeError);
    },
  );
}
