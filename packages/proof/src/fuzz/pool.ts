/**
 * What earlier answers told: ids, revisions, cursors, secrets and keys, by kind and authority.
 * @module
 */
import type { Chooser } from './chooser.js';
import type { Json } from './json-text.js';

/** Something that exists behind the server, with what is known of it by name. */
export type Thing = Readonly<Record<string, Json>>;

/** Most things of one kind in one authority; older ones are forgotten. */
const KEPT = 60;

/** Things by kind and authority. */
export class Pool {
  readonly #things = new Map<string, Map<string, Thing>>();

  /** Notes a thing, or what is new about it; `id` tells which one it is. */
  learn(kind: string, authority: string, id: string, thing: Thing): void {
    const things = this.#thingsOf(kind, authority);
    const known = things.get(id);
    things.delete(id);
    things.set(id, { ...known, ...thing });
    const [oldest] = things.keys();
    if (things.size > KEPT && oldest !== undefined) things.delete(oldest);
  }

  /** Forgets a thing that is gone. */
  forget(kind: string, authority: string, id: string): void {
    this.#things.get(`${kind} ${authority}`)?.delete(id);
  }

  /** A thing of a kind that an authority has. */
  find(chooser: Chooser, kind: string, authority: string): Thing | undefined {
    const things = [...(this.#things.get(`${kind} ${authority}`)?.values() ?? [])];
    return things.length === 0 ? undefined : chooser.pick(things);
  }

  /** A thing of a kind that some other authority has. */
  findForeign(chooser: Chooser, kind: string, authority: string): Thing | undefined {
    const others = [...this.#things]
      .filter(([key]) => key.startsWith(`${kind} `) && key !== `${kind} ${authority}`)
      .flatMap(([, things]) => [...things.values()]);
    return others.length === 0 ? undefined : chooser.pick(others);
  }

  #thingsOf(kind: string, authority: string): Map<string, Thing> {
    const key = `${kind} ${authority}`;
    const things = this.#things.get(key) ?? new Map<string, Thing>();
    this.#things.set(key, things);
    return things;
  }
}
