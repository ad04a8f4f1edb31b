/** Shared fixture of the benchmarks: a keep with one agent, typical records, raw databases. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Agent,
  type CredentialSpecInput,
  type Keep,
  type KeepOptions,
  openKeep,
  type RecordInput,
} from '@agentkeep/core';
import { bootstrapTenant } from '@agentkeep/core/operator';
import { type Database, open } from 'lmdb';
import { sentenceAt } from './sentences.js';

/** The scope of all benchmarks. */
export const scope = { project_id: 'bench', agent_id: 'writer', visibility: 'shared' } as const;

/** Returns a record of about 500 characters of text. */
export function recordAt(index: number): RecordInput {
  const sentence = (offset: number): string => sentenceAt(index + offset);
  return {
    episode_type: 'Conversation',
    content: {
      primary: `${sentence(0)} ${sentence(1)} ${sentence(2)} ${sentence(3)}`,
      secondary: `${sentence(4)} Turn ${String(index)}.`,
      context: 'session 7',
    },
    event_time_millis: 1_700_000_000_000 + index,
    tags: ['session-7', 'speaker-a'],
    metadata: { turn: index },
  };
}

/** Returns a record of one sentence. */
export function shortTurnAt(index: number): RecordInput {
  return { ...recordAt(index), content: { primary: sentenceAt(index) } };
}

/** Makes a temporary directory, which is removed on disposal. */
export async function temporaryDirectory(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'agentkeep-bench-'));
  return {
    path,
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}

/** The scopes of an agent. */
type Reach = Pick<CredentialSpecInput, 'grants' | 'scope_policy'>;

/** Authority over every scope. */
export const everywhere: Reach = {
  grants: [],
  scope_policy: {
    version: 'company_scopes_v1',
    projects: { mode: 'all' },
    agents: { mode: 'all' },
    missions: { mode: 'all' },
    allow_unassigned_mission: true,
    visibilities: ['shared', 'private'],
  },
};

/** Opens a keep on a directory or store and issues a credential to one agent. */
export async function keepWithAgent(
  where: KeepOptions,
  reach: Reach = { grants: [scope] },
): Promise<{ keep: Keep; admin: Agent; agent: Agent; secret: string }> {
  const keep = await openKeep(where);
  const bootstrapped = await bootstrapTenant(keep, { tenantId: 'bench', subjectId: 'ops' });
  const admin = await keep.authenticate(bootstrapped.secret);
  const { secret } = await admin.credentials.issue({
    subject_id: 'writer',
    capabilities: ['memory_read', 'memory_write'],
    ...reach,
  });
  return { keep, admin, agent: await keep.authenticate(secret), secret };
}

/** Opens a raw LMDB database with the settings of the store. */
export function openRaw(path: string, encoding: 'binary' | 'msgpack'): Database<unknown, Buffer> {
  const settings = {
    path,
    noSubdir: false,
    keyEncoding: 'binary' as const,
    encoding,
    overlappingSync: false,
    ...(encoding === 'msgpack' ? { sharedStructuresKey: Buffer.from('structures') } : {}),
  };
  return open<unknown, Buffer>(settings);
}
