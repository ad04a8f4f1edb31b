/**
 * Nothing of one tenant is in any answer to another: ids are known by who was first told of them,
 * texts of tenants carry their mark.
 */
import { Mismatch } from './compare.js';
import { INSTALLATION } from '../models/world.js';

const UUID = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/g;
const MARK = /mark of (tenant-[a-z]+)/g;

/** A text that gives away whose it is. */
export function markOf(authority: string): string {
  return `mark of ${authority}`;
}

/** Who has been told what. */
export class Isolation {
  readonly #owners = new Map<string, string>();
  readonly #isOfInstallation: (id: string) => boolean;

  /** Tenants may all be told ids of the installation, as those of whoever acted on them. */
  constructor(isOfInstallation: (id: string) => boolean) {
    this.#isOfInstallation = isOfInstallation;
  }

  /**
   * Looks at an answer to somebody of an authority.
   * @throws {Mismatch} when something in it is of another tenant.
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

/** The installation may see tenants, and a tenant who of the installation made its things. */
function isForeign(owner: string, authority: string): boolean {
  return owner !== authority && owner !== INSTALLATION && authority !== INSTALLATION;
}
