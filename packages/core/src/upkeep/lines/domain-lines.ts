/** The lines of a domain, and the order in which an export writes them. */
import type * as v from 'valibot';
import { type Namespace, type NamespaceParts, namespaces } from '../../kernel/access/namespace.js';
import type { Runtime } from '../../kernel/services/runtime.js';
import { trailingDigest } from '../../storage/store/key.js';
import type { Entry, HeldState, ReadTx, WriteTx } from '../../storage/store/store.js';
import type { Exported } from './export-schema.js';
import { slicesOf } from './state-slices.js';
import type { Importing, LineOutcome, PlainLine, StoreLine } from './stored-line.js';

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

/** An export to make. */
export interface ExportPlan {
  readonly tenantId: string;
  readonly of: Exported;
  /** Selects the namespaces of the export, those of branches included. */
  readonly selects: (parts: NamespaceParts) => boolean;
  readonly withHistory: boolean;
  readonly nowMs: number;
}

/** A scope of an export. */
export interface ExportedScope {
  readonly digest: Uint8Array;
  readonly parts: NamespaceParts;
}

/** Yields the scopes of an export, those of branches included; `undefined` between slices. */
export async function* scopesOf(
  state: HeldState,
  { tenantId, selects }: ExportPlan,
): AsyncGenerator<ExportedScope | undefined, void> {
  for await (const entries of slicesOf(state, { tenantId, family: namespaces })) {
    for (const { key, value } of entries) {
      const parts = namespaces.open(key, value);
      if (selects(parts)) yield { digest: trailingDigest(key), parts };
    }
    yield undefined;
  }
}
