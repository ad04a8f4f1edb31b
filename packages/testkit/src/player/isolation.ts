/**
 * Checks that no answer to a tenant holds an id or a text of another one. An id belongs to the
 * authority that saw it first; texts carry a mark.
 */
import { Mismatch } from './compare.js';
import { INSTALLATION } from '../models/world.js';

const UUID = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/g;
const MARK = /mark of (tenant-[a-z]+)/g;

/** A text that names its authority. */
export function markOf(authority: string): string {
  return `mark of ${authority}`;
}

/** The ids that each authority has seen. */
export class Isolation {
  readonly #owners = new Map<string, string>();
  readonly #isOfInstallation: (id: string) => boolean;

  /** Any tenant may see ids of the installation, such as those of actors. */
  constructor(isOfInstallation: (id: string) => boolean) {
    this.#isOfInstallation = isOfInstallation;
  }

  /**
   * Checks an answer to a caller of an authority.
   * @throws {Mismatch} when it holds an id or a text of another tenant.
   */
  check(what: string, authority: string, answer: unknown): void {
    const text = JSON.stringify(answer);
    for (const [id] of text.matchAll(UUID)) {
      if (this.#isOfInstallation(id)) continue;
      const owner = this.#owners.get(id);
      if (owner === undefined) this.#owners.set(id, authority);
      else if (isForeign(owner, authority)) {
        throw new Mismatch(`${what} shows ${id} of ${owner} to ${authority}`);
      }
    }
    for (const [, owner] of text.matchAll(MARK)) {
      if (owner !== undefined && isForeign(owner, authority)) {
        throw new Mismatch(`${what} shows a text of ${owner} to ${authority}`);
      }
    }
  }
}

/** The installation may see ids of tenants, and tenants those of the installation. */
function isForeign(owner: string, authority: string): boolean {
  return owner !== authority && owner !== INSTALLATION && authority !== INSTALLATION;
}
