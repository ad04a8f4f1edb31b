/** The memory of a project: at the server that a person chose, or in a store of this machine. */
import { userInfo } from 'node:os';
import { type Agent, AgentkeepError, connect, type ScopeInput } from '@agentkeep/client';
import type { Recollection } from '@agentkeep/client';
import type { Captured } from '../capture/spool.js';
import type { Choice } from '../state/settings.js';

/** Stores and recalls what belongs to a project. */
export interface ProjectMemory {
  /** Stores a text once, however often it is sent with its key. */
  store(captured: Captured, key: string): Promise<void>;
  recall(project: string, question: string): Promise<readonly Recollection[]>;
  close(): Promise<void>;
}

/** The name of coding agents in scopes. */
const AGENT_ID = 'coding-agent';
const RECALLED_MAX = 12;

/** Returns the private scope of the person in a project, or the scope that a project shares. */
export function scopeOfProject(
  project: string,
  visibility: ScopeInput['visibility'] = 'private',
): ScopeInput {
  return { project_id: project, agent_id: AGENT_ID, visibility };
}

/** Opens the memory that was chosen. The store of this machine is loaded only if it is needed. */
export async function openProjectMemory(choice: Choice, keep: string): Promise<ProjectMemory> {
  if (choice.kind === 'server') {
    const agent = connect({ url: choice.url, secret: choice.secret });
    return new AgentMemory(
      () => Promise.resolve(agent),
      true,
      () => Promise.resolve(),
    );
  }
  const [{ openKeep }, { agentFor }] = await Promise.all([
    import('@agentkeep/core'),
    import('@agentkeep/core/operator'),
  ]);
  const opened = await openKeep({ dataDir: keep });
  const agents = new Map<string, Promise<Agent>>();
  const agentOf = (project: string) => {
    // A subject for each project, so that the grants of none grow with the projects of a person.
    const subject = `${userInfo().username.slice(0, 32)}@${project}`;
    const scopes = [scopeOfProject(project)];
    const agent = agents.get(project) ?? agentFor(opened, { subject, scopes });
    agents.set(project, agent);
    agent.catch(() => agents.delete(project));
    return agent;
  };
  return new AgentMemory(agentOf, false, () => opened.close());
}

/** Memory through an agent, whose calls are the same for a server and a store. */
class AgentMemory implements ProjectMemory {
  readonly #agentOf: (project: string) => Promise<Agent>;
  readonly #close: () => Promise<void>;
  /** Whether projects may have a shared scope. */
  readonly #hasShared: boolean;
  /** The projects whose shared scope was refused, which is asked for once. */
  readonly #unshared = new Set<string>();

  constructor(
    agentOf: (project: string) => Promise<Agent>,
    hasShared: boolean,
    close: () => Promise<void>,
  ) {
    this.#agentOf = agentOf;
    this.#hasShared = hasShared;
    this.#close = close;
  }

  async store(captured: Captured, key: string): Promise<void> {
    const { project, host, session, turn, title, source, text, atMillis } = captured;
    const agent = await this.#agentOf(project);
    const record = {
      episode_type: 'Conversation' as const,
      content: { primary: text },
      event_time_millis: atMillis,
      tags: ['coding-agent'],
      metadata: { host, session, turn, ...(title === undefined ? {} : { title }) },
      source,
    };
    try {
      await agent.memory.in(scopeOfProject(project)).create(record, { idempotencyKey: key });
    } catch (error) {
      // The same text of the same turn was captured twice, at two times: one of them is stored.
      if (error instanceof AgentkeepError && error.code === 'idempotency_conflict') return;
      throw error;
    }
  }

  async recall(project: string, question: string): Promise<readonly Recollection[]> {
    const agent = await this.#agentOf(project);
    const own = scopeOfProject(project);
    const { memory } = agent;
    const options = { limit: RECALLED_MAX };
    if (this.#hasShared && !this.#unshared.has(project)) {
      try {
        const scopes = [own, scopeOfProject(project, 'shared')];
        return await memory.in(own).recall(question, { ...options, scopes });
      } catch (error) {
        if (!(error instanceof AgentkeepError) || error.code !== 'forbidden') throw error;
        this.#unshared.add(project);
      }
    }
    return memory.in(own).recall(question, options);
  }

  close(): Promise<void> {
    return this.#close();
  }
}
