/** The lines of exports, from those of all domains. Made once, when a keep is opened. */
import { certain } from '../../contract/certain.js';
import { Port } from '../../kernel/ports/port.js';
import type { Families, StoredFamily } from '../../storage/families/families.js';
import type { Owner } from '../../storage/store/family.js';
import type { BranchLines, DomainLines, OwnLine } from './domain-lines.js';
import type { PlainLine } from './stored-line.js';

/** The lines of a keep. */
export const exportedLines = new Port<Lines>('exportedLines');

/** A family with a line, of either kind. */
export type FamilyLine = { readonly family: StoredFamily } & (
  | { readonly plain: PlainLine; readonly own?: never }
  | { readonly own: OwnLine; readonly plain?: never }
);

/** Lines of families, and those of branches. */
export class Lines {
  /** In the order of the key space. */
  readonly all: readonly FamilyLine[];
  readonly branches: BranchLines;
  readonly #byName: ReadonlyMap<string, FamilyLine>;

  /**
   * Finds the lines of all families.
   *
   * @throws {TypeError} for a family that states a line of no domain.
   */
  constructor(families: Families, domains: readonly DomainLines[]) {
    const plain = new Map(
      domains.flatMap((each) => each.plain ?? []).map((line) => [line.name, line]),
    );
    const own = new Map(domains.flatMap((each) => each.own ?? []).map((line) => [line.name, line]));
    this.branches = certain(
      domains.find((each) => each.branches !== undefined)?.branches,
      'lines of branches',
    );
    this.all = families.all.flatMap((family): FamilyLine[] => {
      const { exported } = family.facts;
      if (exported === 'derived' || !('line' in exported)) return [];
      const { line } = exported;
      // The lines of scopes and branches come before those of what is in them.
      if (line === 'scope' || line === 'branch') return [];
      const [asPlain, asOwn] = [plain.get(line), own.get(line)];
      if (asPlain !== undefined) return [{ family, plain: asPlain }];
      if (asOwn !== undefined) return [{ family, own: asOwn }];
      throw new TypeError(`${family.name} is exported as ${line}, which is the line of no domain.`);
    });
    this.#byName = new Map(this.all.map((each) => [(each.plain ?? each.own).name, each]));
  }

  /** Returns the lines of families that belong to an owner. */
  of(owner: Owner): FamilyLine[] {
    return this.all.filter(({ family }) => family.facts.owner === owner);
  }

  /** Returns the line of a name, or `undefined`. */
  named(name: string): FamilyLine | undefined {
    return this.#byName.get(name);
  }
}
