/** Fills a keep with the made-up company: its agents, its people and what they remember. */
import type { Agent, Capability, Keep, MemoryRecord, ScopeInput } from '@agentkeep/core';
import { agentFor, bootstrapTenant, createAdmin } from '@agentkeep/core/operator';
import {
  deskMemories,
  type Memory,
  noteMemories,
  scopes,
  stockMemories,
  textMemories,
} from './memories.js';

/** The tenant of the company. */
export const COMPANY = 'lindgren-bikes';

/** The password of its three people. A company that exists would give each its own. */
export const PASSWORD = 'Correct-Horse-7';

/** What an agent may do beside reading. */
const agentRights: Readonly<Record<AgentName, readonly Capability[]>> = {
  support: ['memory_write'],
  returns: ['memory_propose'],
  purchasing: ['memory_write'],
  writer: ['memory_propose', 'memory_write'],
  analyst: ['memory_write'],
};

type AgentName = 'support' | 'returns' | 'purchasing' | 'writer' | 'analyst';

/** The people: an owner, who leads the desk, and who buys. */
const people = {
  mara: { isOwner: true, rights: ['memory_read', 'memory_write', 'memory_review'] },
  jonas: { isOwner: false, rights: ['memory_read', 'memory_write', 'memory_review'] },
  ines: { isOwner: false, rights: ['memory_read', 'memory_write'] },
} as const;

/** What a program may want to use of the company. */
export interface Company {
  /** The program that set the company up. It administers the tenant. */
  readonly setup: Agent;
  readonly agents: Readonly<Record<AgentName, Agent>>;
  readonly usernames: readonly string[];
}

/**
 * Makes the tenant with everything in it. `passTime` is called between what happens, for a keep
 * whose clock stands still.
 */
export async function fillCompany(
  keep: Keep,
  passTime: () => void = () => undefined,
): Promise<Company> {
  const { secret } = await bootstrapTenant(keep, { tenantId: COMPANY, subjectId: 'setup' });
  const setup = await keep.authenticate(secret);
  const agents = await makeAgents(keep);
  await makePeople(keep, setup);
  const remembered = [
    [agents.analyst, scopes.notes, noteMemories],
    [agents.purchasing, scopes.stock, stockMemories],
    [agents.writer, scopes.texts, textMemories],
    [agents.support, scopes.desk, deskMemories],
  ] as const;
  for (const [agent, scope, memories] of remembered) {
    for (const memory of memories) {
      passTime();
      await remember(agent, scope, memory);
    }
  }
  await learnFromFaults(agents, passTime);
  await planTours(agents);
  await propose(agents, passTime);
  passTime();
  return { setup, agents, usernames: Object.keys(people) };
}

async function makeAgents(keep: Keep): Promise<Company['agents']> {
  const made: Partial<Record<AgentName, Agent>> = {};
  for (const [name, rights] of Object.entries(agentRights) as [
    AgentName,
    readonly Capability[],
  ][]) {
    made[name] = await agentFor(keep, {
      ...{ tenantId: COMPANY, subjectId: name, scopes: Object.values(scopes) },
      capabilities: ['memory_read', ...rights],
    });
  }
  return made as Company['agents'];
}

async function makePeople(keep: Keep, setup: Agent): Promise<void> {
  for (const [username, { isOwner, rights }] of Object.entries(people)) {
    const { credential } = await setup.credentials.issue({
      subject_id: username,
      capabilities: [...rights],
      grants: [],
      scope_policy: {
        version: 'company_scopes_v1',
        projects: { mode: 'all' },
        agents: { mode: 'all' },
        missions: { mode: 'all' },
        allow_unassigned_mission: true,
        visibilities: ['private', 'shared'],
      },
    });
    const login = { username, password: PASSWORD };
    if (isOwner)
      await createAdmin(keep, { ...login, tenantId: COMPANY, credentialId: credential.id });
    else await setup.users.create({ ...login, roles: [], credential_id: credential.id });
  }
}

async function remember(agent: Agent, scope: ScopeInput, memory: Memory): Promise<void> {
  const { text, name, tags, source, type = 'Observation' } = memory;
  const record = { episode_type: type, content: { primary: text }, tags: [...tags] };
  const full = source === undefined ? record : { ...record, source };
  const kept = agent.memory.in(scope);
  if (name === undefined) await kept.create(full);
  else await kept.put(name, full);
}

/** The help desk learns what the fault is, in three steps, and the catalogue makes use of it. */
async function learnFromFaults(
  { support, writer }: Company['agents'],
  passTime: () => void,
): Promise<void> {
  const desk = support.memory.in(scopes.desk);
  const fault = await named(desk, 'fault/cargo-gears');
  const texts = [
    'The gears of cargo bikes slip when the cable was not tightened after 200 km.',
    'The gears of cargo bikes slip when the cable was not tightened after 200 km. ' +
      'Tighten it at the first service, for free.',
  ];
  let revision = fault.revision;
  for (const primary of texts) {
    passTime();
    const target = { recordId: fault.record_id, expectedRevision: revision };
    const content = { ...fault.payload.content, primary };
    ({ revision } = await desk.update(target, { ...fault.payload, content }));
  }
  await writer.memory.in(scopes.texts).put('text/cargo-service', {
    content: { primary: 'The first service of a cargo bike is free, and keeps its gears quiet.' },
    tags: ['text'],
    source: 'model',
    derived_from: [{ record_id: fault.record_id, revision, scope: scopes.desk }],
  });
}

/** Three changes wait for a person to agree. */
async function propose(
  { returns, writer }: Company['agents'],
  passTime: () => void,
): Promise<void> {
  const desk = returns.memory.in(scopes.desk);
  const policy = await named(desk, 'policy/returns');
  const primary =
    'Returns within 60 days need the receipt, but not the original box. Batteries are excepted.';
  const change = {
    type: 'update',
    record_id: policy.record_id,
    expected_revision: policy.revision,
    record: { ...policy.payload, content: { ...policy.payload.content, primary } },
  } as const;
  const purpose = 'Eleven customers of March came between day 30 and day 60.';
  await returns.proposals.propose(scopes.desk, change, { purpose });
  passTime();
  const carrier = { content: { primary: 'The carrier picks up returns on Tuesdays only.' } };
  await returns.memory.in(scopes.desk).batch(
    [
      { type: 'create', record: { ...carrier, tags: ['delivery'], source: 'tool' } },
      {
        type: 'put',
        name: 'policy/refunds',
        record: {
          content: { primary: 'Refunds are paid within three days of the return.' },
          tags: ['policy'],
          source: 'document',
        },
      },
    ],
    { propose: true },
  );
  passTime();
  const style = { content: { primary: 'Name the weight of a bike with its battery.' } };
  const record = { ...style, tags: ['style'] };
  const create = { type: 'create', record } as const;
  await writer.proposals.propose(scopes.texts, create, { purpose: 'Asked for in the shop.' });
}

/** The analyst tries a plan in a branch. */
async function planTours({ analyst }: Company['agents']): Promise<void> {
  const purpose = 'Which tours fill up when the days get longer?';
  const branch = await analyst.branches.create('summer tours', [scopes.tours], { purpose });
  const plan = { primary: 'Offer the lake tour on Thursdays at six, from May on.' };
  const memory = analyst.memory.in({ ...scopes.tours, branch: branch.id });
  await memory.put('tour/lake', { content: plan, tags: ['tour'] });
}

async function named(
  memory: ReturnType<Agent['memory']['in']>,
  name: string,
): Promise<MemoryRecord> {
  const record = await memory.read({ name });
  if (record === undefined) throw new Error(`There is no record with the name ${name}.`);
  return record;
}
