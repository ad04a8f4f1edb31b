/** Attached embeddings and spaces from the contract alone (docs/contract/search.md#sea-43). */
import type { Receipt } from '@agentkeep/core';
import type { Command } from './memory-command.js';
import type { Entry } from './memory-history.js';
import { Refusal } from './outcome.js';
import type { Search } from './search/searched-page.js';

/** The embeddings that were attached in the space of a search. */
export interface Attached {
  /** Whether records' own embeddings are in the space. */
  readonly hasOwn: boolean;
  find(recordId: string, revision: number): readonly number[] | undefined;
}

/** What a search sees where nothing was attached. */
export const NOTHING_ATTACHED: Attached = { hasOwn: true, find: () => undefined };

/** An embedding to attach. */
export interface NewEmbedding {
  readonly record_id: string;
  readonly revision: number;
  readonly values: readonly number[];
}

/** The embedding spaces of one scope. */
interface Spaces {
  default: string;
  /** Of the spaces that are there, but for the first one. */
  readonly dimensions: Map<string, number>;
  /** How often each was dropped. */
  readonly drops: Map<string, number>;
}

const OWN = 'default';
const SPACES_MAX = 8;

/** The embeddings that were attached to any revision, in any space that ever was. */
export class EmbeddingModel {
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly #places = new Map<string, Spaces>();
  readonly #scopes = new Map<string, string>();
  /** By record, revision, name of the space and how often that had been dropped. */
  readonly #all = new Map<string, readonly number[]>();

  constructor(entries: ReadonlyMap<string, Entry>) {
    this.#entries = entries;
  }

  /** Attaches embeddings in a space of a scope; returns whether each was. */
  attach(
    scope: string,
    asked: { readonly space: string | undefined; readonly embeddings: readonly NewEmbedding[] },
  ): boolean[] {
    const place = this.#place(scope);
    const name = asked.space ?? place.default;
    if (name !== OWN) {
      const dimension = place.dimensions.get(name) ?? asked.embeddings[0]!.values.length;
      const isFitting = asked.embeddings.every(({ values }) => values.length === dimension);
      const isRoom = place.dimensions.has(name) || place.dimensions.size < SPACES_MAX - 1;
      if (!isFitting || !isRoom) throw new Refusal('invalid_request');
      place.dimensions.set(name, dimension);
    }
    return asked.embeddings.map(({ record_id, revision, values }) => {
      const id = record_id.toLowerCase();
      const entry = this.#entries.get(id);
      const payload = entry?.record.payload ?? null;
      const isOwn = name === OWN && (payload?.content.embedding ?? []).length > 0;
      const isCurrent = entry?.space === scope && entry.record.revision === revision;
      if (!isCurrent || payload === null || isOwn) return false;
      this.#scopes.set(id, scope);
      this.#all.set(`${id} ${revision} ${this.#version(scope, name)}`, values);
      return true;
    });
  }

  /** Gives a restored revision what the old one has. */
  follow(
    operation: Command['operation'],
    { record_id, revision }: Pick<Receipt, 'record_id' | 'revision'>,
  ): void {
    if (operation.type !== 'restore') return;
    const old = `${record_id} ${operation.revision} `;
    for (const [key, values] of [...this.#all]) {
      if (!key.startsWith(old)) continue;
      this.#all.set(`${record_id} ${revision} ${key.slice(old.length)}`, values);
    }
  }

  /** What a search of some scopes sees. */
  seenBy({ space, vector, filter }: Search, scopes: readonly string[]): Attached {
    const defaults = new Set(scopes.map((scope) => this.#place(scope).default));
    const isAsked = vector !== undefined || (filter?.embedded ?? null) !== null;
    if (space === undefined && isAsked && defaults.size > 1) throw new Refusal('invalid_request');
    const [name] = space === undefined && isAsked ? defaults : [space ?? OWN];
    return {
      hasOwn: name === OWN,
      find: (id, revision) => {
        const scope = this.#scopes.get(id);
        if (scope === undefined) return undefined;
        return this.#all.get(`${id} ${revision} ${this.#version(scope, name!)}`);
      },
    };
  }

  /** Makes a space the default. */
  use(scope: string, name: string): void {
    const place = this.#place(scope);
    if (name !== OWN && !place.dimensions.has(name)) throw new Refusal('invalid_request');
    place.default = name;
  }

  /** Drops a space. */
  drop(scope: string, name: string): void {
    const place = this.#place(scope);
    if (name === place.default) throw new Refusal('invalid_request');
    place.dimensions.delete(name);
    place.drops.set(name, (place.drops.get(name) ?? 0) + 1);
  }

  /** The spaces of a scope, as answers show them. */
  shown(scope: string) {
    const { default: default_space, dimensions } = this.#place(scope);
    const names = [OWN, ...dimensions.keys()].sort();
    const spaces = names.map((space) => {
      return { space, dimension: dimensions.get(space) ?? null, is_dropping: false };
    });
    return { default_space, spaces };
  }

  #version(scope: string, name: string): string {
    return `${name} ${this.#place(scope).drops.get(name) ?? 0}`;
  }

  #place(scope: string): Spaces {
    const place = this.#places.get(scope) ?? {
      default: OWN,
      dimensions: new Map(),
      drops: new Map(),
    };
    this.#places.set(scope, place);
    return place;
  }
}
