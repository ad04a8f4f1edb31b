/**
 * Everything that the parties can read, read by read: to be compared with what was read before a
 * directory was damaged.
 * @module
 */
import { isDeepStrictEqual } from 'node:util';
import { AgentkeepError } from '@agentkeep/core';
import { procedureIds } from './crew.js';
import { type Parties, workScopes } from './parties.js';

/** What each read gave, by a name for it. */
export type Portrait = ReadonlyMap<string, unknown>;

/** Reads everything. */
export async function portraitOf(parties: Parties): Promise<Portrait> {
  const portrait = new Map<string, unknown>();
  for (const [name, read] of await readsOf(parties)) portrait.set(name, await read());
  return portrait;
}

/** What two readings tell. */
export interface Likeness {
  /** A sentence for everything that reads as something else. */
  readonly altered: readonly string[];
  /** Reads that were refused, because what they need does not verify. */
  readonly refused: number;
  /** Reads that found nothing, because no key leads there any more. */
  readonly absent: number;
}

/** Reads everything again; a read may be refused, but not give anything else. */
export async function compareWith(portrait: Portrait, parties: Parties): Promise<Likeness> {
  const altered: string[] = [];
  let refused = 0;
  let absent = 0;
  for (const [name, before] of portrait) {
    try {
      const now = await readAgain(parties, name);
      if (!isDeepStrictEqual(now, before)) altered.push(`${name} reads as something else.`);
    } catch (error) {
      if (isHonest(error)) refused += 1;
      else if (isAbsent(error)) absent += 1;
      else altered.push(`${name}: ${String(error)}`);
    }
  }
  return { altered, refused, absent };
}

/** Whether an error says that the store does not verify, or that the answer is not known. */
function isHonest(error: unknown): boolean {
  return (
    error instanceof AgentkeepError && (error.kind === 'internal' || error.kind === 'unavailable')
  );
}

/** Whether an error says that something, or whoever asks, is not known. */
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
    const { records } = await parties.writer.memory.queryPage(scope, {});
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
  if (kind === 'query') return writer.memory.queryPage(scope, {});
  if (kind === 'record') return writer.memory.read(scope, second);
  if (kind === 'credential') return admin.credentials.inspect(first);
  if (kind === 'procedure') return judge.learning.procedure(workScopes[1], first);
  return root.users.get(first);
}
