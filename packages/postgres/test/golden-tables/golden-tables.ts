/** The tables of one release with what it stored, as every later one has to open them. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Keep, openKeep, type ScopeInput } from '@agentkeep/core';
import { bootstrapTenant } from '@agentkeep/core/operator';
import { ManualClock } from '@agentkeep/core/testing';
import { postgresStore } from '../../src/index.js';
import { rowsIn } from '../fixture.js';

/** Where the dumps are, each named after its release. */
export const FOLDER = fileURLToPath(new URL('dumps', import.meta.url));

export const SCOPE: ScopeInput = { project_id: 'p', agent_id: 'a', visibility: 'private' };
export const TEXTS = ['The shop opens at nine.', 'Ann likes tea.', 'Bikes come on Tuesdays.'];

const BEGIN_MS = Date.UTC(2026, 3, 1, 8);
const DAY_MS = 86_400_000;

/** What is known of a dump beside its rows. */
export interface Known {
  /** The secret of an agent. */
  readonly secret: string;
  /** Its position after the first change of the feed. */
  readonly position: string;
}

/** Opens a database a day after it was filled. */
export function openFilled(url: string): Promise<Keep> {
  return openKeep({ store: postgresStore({ url }), clock: new ManualClock(BEGIN_MS + DAY_MS) });
}

/** Fills an empty database. */
export async function fill(url: string): Promise<Known> {
  const clock = new ManualClock(BEGIN_MS);
  await using keep = await openKeep({ store: postgresStore({ url }), clock });
  const { secret: ofAdmin } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  const admin = await keep.authenticate(ofAdmin);
  const { secret } = await admin.credentials.issue({
    subject_id: 'ann',
    capabilities: ['memory_read', 'memory_write'],
    grants: [SCOPE],
  });
  const memory = (await keep.authenticate(secret)).memory.in(SCOPE);
  for (const text of TEXTS) await memory.remember(text);
  const { next_after: position } = await memory.changesPage({ limit: 1 });
  return { secret, position };
}

/** Loads the dump of a release into an empty database. */
export async function load(name: string, url: string): Promise<Known> {
  const text = await readFile(join(FOLDER, `${name}.sql`), 'utf8');
  const [, known = ''] = /^-- Known: (.+)$/mu.exec(text) ?? [];
  await rowsIn(url, text);
  return JSON.parse(known) as Known;
}

/** Returns columns, constraints and functions of all tables of a database, in order. */
export async function catalogOf(url: string): Promise<string[]> {
  const rows = await rowsIn(
    url,
    `SELECT line FROM (
      SELECT c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
        || CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END
        || coalesce(' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid), '') AS line
      FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
        LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
      WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND NOT a.attisdropped
      UNION ALL SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
      FROM pg_constraint WHERE connamespace = 'public'::regnamespace
      UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
      UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc
      WHERE pronamespace = 'public'::regnamespace) AS lines ORDER BY line`,
  );
  return rows.map(({ line }) => String(line).replace(/^public\./u, ''));
}
