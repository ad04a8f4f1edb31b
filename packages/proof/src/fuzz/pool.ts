/** Data from earlier answers: ids, revisions, cursors, secrets and keys, by kind and authority. */
import type { Chooser } from './chooser.js';
import type { Json } from './json-text.js';

/** A resource on the server, with its known values by name. */
export type PooledResource = Readonly<Record<string, Json>>;

/** Most resources of one kind in one authority. Older ones are forgotten. */
const KEPT = 60;

/** Resources by kind and authority. */
export class Pool {
  readonly #things = new Map<string, Map<string, PooledResource>>();

  /** Adds a resource, or new values of the one with this id. */
  learn(kind: string, authority: string, id: string, thing: PooledResource): void {
    const things = this.#thingsOf(kind, authority);
    const known = things.get(id);
    things.delete(id);
    things.set(id, { ...known, ...thing });
    const [oldest] = things.keys();
    if (things.size > KEPT && oldest !== undefined) things.delete(oldest);
  }

  /** Removes a resource that no longer exists. */
  forget(kind: string, authority: string, id: string): void {
    this.#things.get(`${kind} ${authority}`)?.delete(id);
  }

  /** Returns a resource of a kind in an authority. */
  find(chooser: Chooser, kind: string, authority: string): PooledResource | undefined {
    const things = [...(this.#things.get(`${kind} ${authority}`)?.values() ?? [])];
    return things.length === 0 ? undefined : chooser.pick(things);
  }

  /** Returns a resource of a kind in another authority. */
  findForeign(chooser: Chooser, kind: string, authority: string): PooledResource | undefined {
    const others = [...this.#things]
      .filter(([key]) => key.startsWith(`${kind} `) && key !== `${kind} ${authority}`)
      .flatMap(([, things]) => [...things.values()]);
    return others.length === 0 ? undefined : chooser.pick(others);
  }

  /** Returns the authority that has a resource. */
  authorityOf(kind: string, id: string): string | undefined {
    const [key] =
      [...this.#things].find(([name, things]) => {
        return name.startsWith(`${kind} `) && things.has(id);
      }) ?? [];
    return key?.slice(kind.length + 1);
  }

  #thingsOf(kind: string, authority: string): Map<string, PooledResource> {
    const key = `${kind} ${authority}`;
    const things = this.#things.get(key) ?? new Map<string, PooledResource>();
    this.#things.set(key, things);
    return things;
  }
}
