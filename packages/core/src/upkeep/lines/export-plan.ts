/** What an export is to have, and the scopes of a held state that belong to it. */
import type { NamespaceParts } from '../../kernel/access/namespace.js';
import { namespaces } from '../../kernel/access/namespace-store.js';
import { trailingDigest } from '../../storage/store/key.js';
import type { HeldState } from '../../storage/store/store.js';
import type { Exported } from './export-schema.js';
import { slicesOf } from './state-slices.js';

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
