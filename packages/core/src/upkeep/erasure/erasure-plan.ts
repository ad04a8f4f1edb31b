/** How a keep erases: the steps of all domains in their order, made once when it is opened. */
import { erasureMarks } from '../../kernel/erased/erasure-mark-store.js';
import { memoryRemovals } from '../../kernel/erased/removal-store.js';
import { type Namespace, namespaces } from '../../kernel/access/namespace.js';
import { Port } from '../../kernel/ports/port.js';
import type { Families } from '../../storage/families/families.js';
import type { FamilyFacts } from '../../storage/store/family.js';
import type { ReadTx, Transactions, WriteTx } from '../../storage/store/store.js';
import type { StoredTarget } from '../stored/target.js';
import type { DomainErasure, ErasurePhase } from './domain-erasure.js';
import { markNamespaces, removeMarked, removeMarks } from './marked-steps.js';
import { replaceNames } from './audit-steps.js';
import {
  endSlice,
  type GoingKey,
  type Slice,
  type SlicePlan,
  type Step,
  type VisitedEntry,
} from './slice.js';
import { removeOfAccounts, removeOfSubject } from './subject-steps.js';
import { tenantSteps } from './tenant-steps.js';

/** The plan of a keep. */
export const erasurePlan = new Port<ErasurePlan>('erasurePlan');

/** Erases as the domains say. */
export class ErasurePlan implements SlicePlan {
  readonly families: Families;
  /** How many entries go at most where one goes that doesn't prove a caller. */
  readonly goingInRest: number;
  readonly #domains: readonly DomainErasure[];
  readonly #steps: Readonly<Record<StoredTarget['kind'], readonly Step[]>>;
  readonly #goingWith: ReadonlyMap<string, NonNullable<DomainErasure['goingWith']>[string]>;
  readonly #removing: ReadonlyMap<string, NonNullable<DomainErasure['removing']>[string]>;
  readonly #numberGoing: ReadonlyMap<string, number>;

  constructor(families: Families, domains: readonly DomainErasure[]) {
    this.families = families;
    this.#domains = domains;
    this.#goingWith = byFamily(domains, 'goingWith');
    this.#removing = byFamily(domains, 'removing');
    this.#numberGoing = new Map(families.names.map((name) => [name, this.#numberOf(name)]));
    const first = domains.flatMap(({ provesCallers = [] }) => provesCallers);
    const rest = families.names.filter((name) => !first.includes(name));
    this.goingInRest = Math.max(...rest.map((name) => this.entriesGoingWith(name)));
    const scope = this.#scopeSteps();
    const of = (...phases: readonly ErasurePhase[]): Step[] => this.#subjectSteps(phases);
    this.#steps = {
      scope: [...scope, removeMarks],
      subject: [
        ...of('proofs', 'names', 'proposals'),
        ...scope,
        ...of('scopes', 'own', 'accounts'),
        ...this.#accountSteps(),
        ...of('credentials'),
        ...this.#namesWhere(({ owner }) => owner === 'subject').map(removeOfSubject),
        // Events that still wait are stored before the next slice.
        ...[endSlice, replaceNames, removeMarks],
      ],
      tenant: tenantSteps(
        families,
        first,
        domains.flatMap(({ tenant = [] }) => tenant),
      ),
    };
  }

  /** Returns the steps of an erasure of this kind. */
  stepsOf(kind: StoredTarget['kind']): readonly Step[] {
    return this.#steps[kind];
  }

  /** Returns the keys of what goes with an entry of a tenant. */
  goingWith(family: string, tenantId: string, entry: VisitedEntry): readonly GoingKey[] {
    return this.#goingWith.get(family)?.(tenantId, entry) ?? [];
  }

  /** Returns how many entries go where one of a family goes. */
  entriesGoingWith(family: string): number {
    return this.#numberGoing.get(family) ?? 1;
  }

  /** Lets the owner of a family know that an entry goes. */
  removing(slice: Slice, family: string, key: Uint8Array): void {
    this.#removing.get(family)?.(slice, key);
  }

  /** Whether a namespace goes with what it belongs to, although its parts don't tell. */
  includes(
    tx: ReadTx,
    namespace: Pick<Namespace, 'tenantId' | 'parts'>,
    target: StoredTarget,
  ): boolean {
    return this.#domains.some(({ includes }) => includes?.(tx, namespace, target) === true);
  }

  /** Takes a tenant from the directory. */
  removeTenant(tx: WriteTx, tenantId: string): void {
    for (const { removeTenant } of this.#domains) removeTenant?.(tx, tenantId);
  }

  /** Yields the subjects that values of a tenant name. */
  async *subjectsIn(store: Transactions, tenantId: string): AsyncGenerator<string, void> {
    for (const { subjectsIn } of this.#domains) {
      if (subjectsIn !== undefined) yield* subjectsIn(store, tenantId);
    }
  }

  #goesWithSource(name: string): boolean {
    const source = this.families.sourceOf(name);
    const isOneEach = this.families.get(name).facts.derived?.isOneEach === true;
    return isOneEach && source !== undefined && this.#goingWith.has(source);
  }

  #numberOf(family: string): number {
    const going = this.families.names.filter(
      (name) => this.families.sourceOf(name) === family && this.#goesWithSource(name),
    );
    return 1 + going.length;
  }

  /** What is derived from others comes before them, and what removals add to comes last. */
  #scopeSteps(): Step[] {
    const phased = (phase: ErasurePhase): Step[] =>
      this.#domains.flatMap(({ scope = {} }) => scope[phase] ?? []);
    const ofScopes = this.families.all
      .filter(({ name, facts }) => facts.owner === 'scope' && !this.#goesWithSource(name))
      .filter(({ name }) => name !== namespaces.name && name !== erasureMarks.name)
      .toSorted((one, other) => this.#rankOf(one.name) - this.#rankOf(other.name));
    return [
      ...phased('proposals'),
      markNamespaces,
      ...ofScopes.map(({ name }) => removeMarked(name)),
      ...phased('scopes'),
    ];
  }

  #rankOf(family: string): number {
    // Removing search entries adds to it.
    if (family === memoryRemovals.name) return 2;
    return this.families.get(family).facts.derived === undefined ? 1 : 0;
  }

  /** The family that tells whose an account was comes last. */
  #accountSteps(): Step[] {
    return this.#domains.flatMap(({ accounts }) => {
      if (accounts === undefined) return [];
      const { family, isErased } = accounts;
      const own = this.#namesWhere(
        ({ owner, erased }) => owner === 'account' && erased !== 'expires',
      );
      const others = this.#namesWhere(({ accountIn }) => accountIn !== undefined);
      const before = own.filter((name) => name !== family && !this.#goesWithSource(name));
      return [...others, ...before, family].map((name) => removeOfAccounts(name, isErased));
    });
  }

  #namesWhere(isWanted: (facts: FamilyFacts) => boolean): string[] {
    return this.families.all.filter(({ facts }) => isWanted(facts)).map(({ name }) => name);
  }

  #subjectSteps(phases: readonly ErasurePhase[]): Step[] {
    return phases.flatMap((phase) =>
      this.#domains.flatMap(({ subject = {} }) => subject[phase] ?? []),
    );
  }
}

/** Returns a map by family of what the domains say in one member. */
function byFamily<M extends 'goingWith' | 'removing'>(
  domains: readonly DomainErasure[],
  member: M,
): Map<string, NonNullable<DomainErasure[M]>[string]> {
  return new Map(
    domains.flatMap((domain) =>
      Object.entries(
        (domain[member] ?? {}) as Record<string, NonNullable<DomainErasure[M]>[string]>,
      ),
    ),
  );
}
