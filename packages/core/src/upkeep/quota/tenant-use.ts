/** The operation that counts what a tenant stores, with or without a quota. */
import * as v from 'valibot';
import { AgentkeepError, type RefusedMember } from '../../contract/errors/agentkeep-error.js';
import { exampleVersion } from '../../contract/example-values.js';
import {
  CURSOR_CHARS_MAX,
  TENANT_USE_BYTES_MAX,
  TENANT_USE_ENTRIES_MAX,
} from '../../contract/limits.js';
import { closed } from '../../contract/schema/document.js';
import { named } from '../../contract/schema/json-schema.js';
import { administrationVersion, answeredVersion, integer } from '../../contract/schema/number.js';
import { textId } from '../../contract/schema/text.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import { cursorSecret } from '../../kernel/installation/cursor-secret.js';
import { SealedCursors } from '../../kernel/lists/cursor.js';
import { defineInstallationOperation } from '../../kernel/operation/define-operation.js';
import { inputFirstChecks } from '../../kernel/operation/orders-of-checks.js';
import { hasTenant } from '../../kernel/ports/known-callers.js';
import { Port } from '../../kernel/ports/port.js';
import type { Runtime } from '../../kernel/services/runtime.js';
import type { Families } from '../../storage/families/families.js';
import { countUseSlice, firstKeyOf, USE_SLICE_ENTRIES } from './count-use.js';

/** The families of the store, whose entries are counted. */
export const countedFamilies = new Port<Families>('countedFamilies');

const TenantUseParameters = closed({
  contract_version: administrationVersion(),
  cursor: v.optional(v.pipe(v.string(), v.maxLength(CURSOR_CHARS_MAX))),
});

/** What is counted of a tenant, up to the cursor. */
const TenantUseResponse = v.pipe(
  closed({
    contract_version: answeredVersion,
    tenant_id: textId(),
    use: closed({
      /** Records of memory that are not deleted. */
      records: integer(),
      /** Entries of all kinds, as quotas bound them. */
      entries: integer(),
      /** Bytes of their keys and values. */
      bytes: integer(),
      /** Whether everything is counted. */
      is_complete: v.boolean(),
    }),
    /** Null once everything is counted. */
    next_cursor: v.nullable(v.pipe(v.string(), v.maxLength(CURSOR_CHARS_MAX))),
  }),
  named('TenantUseResponse'),
);

/** What is counted, and the key from which the count goes on; null at the end. */
interface Counted {
  readonly records: number;
  readonly entries: number;
  readonly bytes: number;
  readonly from: Uint8Array | null;
}

/** Counts without keeping anything, so that tenants pay nothing for it when they write. */
export const getTenantUse = defineInstallationOperation({
  name: 'getTenantUse',
  summary: 'Count what a tenant stores, a part of it in each call.',
  example: { id: 'acme', parameters: exampleVersion },
  command: { name: 'tenants use' },
  tag: 'Administration',
  effect: 'read',
  input: { id: textId(), parameters: TenantUseParameters },
  output: TenantUseResponse,
  requires: 'tenant_inspect',
  checks: inputFirstChecks,
  errors: ['tenant_not_found'],
  isHeavy: true,
  handler: async (request) => {
    const { runtime, input } = request;
    const { id: tenantId, parameters } = input;
    const cursors = await useCursorsOf(runtime, tenantId);
    const { cursor } = parameters;
    const start: Counted =
      cursor === undefined
        ? { records: 0, entries: 0, bytes: 0, from: firstKeyOf(tenantId) }
        : cursors.open(cursor);
    let counted = start;
    do {
      if (counted !== start) await request.turn();
      counted = await countMore(runtime, tenantId, counted);
    } while (isWithinCall(start, counted));
    const { from, ...use } = counted;
    return {
      contract_version: CONTRACT_VERSION,
      tenant_id: tenantId,
      use: { ...use, is_complete: from === null },
      next_cursor: from === null ? null : cursors.seal({ ...use, from }),
    };
  },
});

/** Counts one slice. */
function countMore(runtime: Runtime, tenantId: string, before: Counted): Promise<Counted> {
  const families = countedFamilies.of(runtime);
  return runtime.store.read((tx) => {
    if (!hasTenant.of(runtime)(tx, tenantId)) throw new AgentkeepError('tenant_not_found');
    if (before.from === null) return before;
    const span = { tenantId, from: before.from, limit: USE_SLICE_ENTRIES };
    let records = before.records;
    const { entries, bytes, end } = countUseSlice(tx, families, span, (family, entry) => {
      const counted = families.countingRule(family)?.(entry);
      if (counted?.name === 'memory_records') records += counted.by;
    });
    return {
      records,
      entries: before.entries + entries,
      bytes: before.bytes + bytes,
      from: end,
    };
  });
}

function isWithinCall(start: Counted, { from, entries, bytes }: Counted): boolean {
  return (
    from !== null &&
    entries - start.entries < TENANT_USE_ENTRIES_MAX &&
    bytes - start.bytes < TENANT_USE_BYTES_MAX
  );
}

const STALE: RefusedMember = {
  path: 'cursor',
  expected: 'the cursor of an earlier part of this count',
};

/** Returns the cursors of the count of a tenant. They are sealed, as keys have names of people. */
async function useCursorsOf(runtime: Pick<Runtime, 'ports' | 'entropy'>, tenantId: string) {
  const of = { use: 'agentkeep tenant use cursor 1', tenantId };
  const cursors = new SealedCursors(await cursorSecret.of(runtime)(), of, runtime.entropy);
  return {
    seal: ({ records, entries, bytes, from }: Counted & { readonly from: Uint8Array }): string => {
      const key = Buffer.from(from).toString('base64url');
      return cursors.seal(Buffer.from(JSON.stringify([records, entries, bytes, key]), 'utf8'));
    },
    open: (cursor: string): Counted => {
      const text = Buffer.from(cursors.open(cursor, STALE)).toString('utf8');
      // Only this server or another of the store can have sealed it.
      const [records, entries, bytes, key] = JSON.parse(text) as [number, number, number, string];
      return { records, entries, bytes, from: Buffer.from(key, 'base64url') };
    },
  };
}
