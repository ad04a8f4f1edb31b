/**
 * Reads everything that the parties can read, to compare a directory before and after damage.
 */
import { isDeepStrictEqual } from 'node:util';
import { AgentkeepError } from '@agentkeep/core';
import { procedureIds } from './crew.js';
import { type Parties, workScopes } from './parties.js';

/** Results of all reads, by name. */
export type StoreContent = ReadonlyMap<string, unknown>;

/** Runs all reads. */
export async function portraitOf(parties: Parties): Promise<StoreContent> {
  const portrait = new Map<string, unknown>();
  for (const [name, read] of await readsOf(parties)) portrait.set(name, await read());
  return portrait;
}

/** Differences between two portraits. */
export interface Likeness {
  /** A sentence for each read with another result. */
  readonly altered: readonly string[];
  /** Number of reads that were refused because their data does not verify. */
  readonly refused: number;
  /** Number of reads that found nothing, because their key was lost. */
  readonly absent: number;
}

/** Repeats all reads. A read may be refused, but must not return another result. */
export async function compareWith(portrait: StoreContent, parties: Parties): Promise<Likeness> {
  const altered: string[] = [];
  let refused = 0;
  let absent = 0;
  for (const [name, before] of portrait) {
    try {
      const now = await readAgain(parties, name);
      if (!isDeepStrictEqual(now, before)) altered.push(`${name} returns another result.`);
    } catch (error) {
      if (isDamageReport(error)) refused += 1;
      else if (isAbsent(error)) absent += 1;
      else altered.push(`${name}: ${String(error)}`);
    }
  }
  return { altered, refused, absent };
}

/** Whether an error reports damage or an unavailable store. */
function isDamageReport(error: unknown): boolean {
  return (
    error instanceof AgentkeepError && (error.kind === 'internal' || error.kind === 'unavailable')
  );
}

/** Whether an error reports a missing entry or an unknown caller. */
function isAbsent(error: unknown): boolean {
  const kinds = ['not_found', 'forbidden', 'unauthenticated'];
  return error instanceof AgentkeepError && kinds.includes(error.kind);
}

type Read = () => Promise<unknown>;

async function readsOf(parties: Parties): Promise<Map<string, Read>> {
  const reads = new Map<string, Read>();
  const add = (name: string): void => {
    reads.set(name, () => readAgain(parties, name));
  };
  for (const [at, scope] of workScopes.entries()) {
    const { records } = await parties.writer.memory.in(scope).queryPage();
    add(`query ${at}`);
    for (const { record_id } of records) add(`record ${at} ${record_id}`);
  }
  for await (const { id } of parties.admin.credentials.list()) add(`credential ${id}`);
  for (const id of procedureIds) add(`procedure ${id}`);
  for await (const { id } of parties.root.users.list()) add(`user ${id}`);
  return reads;
}

function readAgain({ writer, admin, judge, root }: Parties, name: string): Promise<unknown> {
  const [kind, first = '', second = ''] = name.split(' ');
  const scope = workScopes[Number(first)] ?? workScopes[1];
  if (kind === 'query') return writer.memory.in(scope).queryPage();
  if (kind === 'record') return writer.memory.in(scope).read(second);
  if (kind === 'credential') return admin.credentials.inspect(first);
  if (kind === 'procedure') return judge.learning.procedure(workScopes[1], first);
  return root.users.get(first);
}
