/** The part of a domain in exports and imports: its lines, and how it shows and stores them. */
import type * as v from 'valibot';
import type { Namespace } from '../../kernel/access/namespace.js';
import type { Runtime } from '../../kernel/services/runtime.js';
import type { Entry, HeldState, ReadTx, WriteTx } from '../../storage/store/store.js';
import type { ExportedScope, ExportPlan } from './export-plan.js';
import type { PlainLine } from './plain-line.js';
import type { Importing, LineOutcome, StoreLine } from './stored-line.js';

/** A line of a scope that is made and read in a way of its own. */
export interface OwnLine<L extends { readonly namespace: string } = { namespace: string }> {
  readonly name: string;
  /** Whether only exports with history have it. */
  readonly isOfHistory: boolean;
  /** Shows entries of its family. */
  show(
    state: HeldState,
    scope: Namespace,
    entries: readonly Entry[],
    withHistory: boolean,
  ): Promise<readonly object[]>;
  readonly schema: v.GenericSchema<unknown, L>;
  /** Prepares a line; returns an outcome at once where nothing will be stored. */
  prepare(namespace: Namespace, line: L, importing: Importing): StoreLine | LineOutcome;
}

/** A branch of an export. */
export interface ExportedBranch {
  readonly line: object & { readonly line: 'branch' };
  /** Yields the scopes of the export that it has written to. */
  readonly scopes: () => AsyncGenerator<ExportedScope | undefined, void>;
}

/** The lines of branches, which come behind those of all scopes outside. */
export interface BranchLines {
  /** Yields the branches of an export. */
  exported(state: HeldState, plan: ExportPlan): AsyncGenerator<ExportedBranch | undefined, void>;
  /** Prepares the line of a branch; `undefined` for one that is none. */
  prepare(
    value: unknown,
    importing: Importing,
    runtime: Runtime,
  ): Promise<{ readonly id: string; readonly write: StoreLine } | undefined>;
  /** Whether the branch of a namespace is there, so that it can be stored. */
  isThere(tx: ReadTx, namespace: Namespace, branch: string, importing: Importing): boolean;
  /** Notes that a branch has a namespace. */
  noteSpace(tx: WriteTx, namespace: Namespace, branch: string): void;
}

/** The lines of a domain. */
export interface DomainLines {
  readonly plain?: readonly PlainLine[];
  readonly own?: readonly OwnLine[];
  readonly branches?: BranchLines;
}
