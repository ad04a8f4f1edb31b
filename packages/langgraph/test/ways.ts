/** The ways to get an agent: of an embedded keep, and of a server. */
import { connect, type Agent, type ScopeInput } from '@agentkeep/client';
import { type Embed, type Keep, type KeepOptions, openKeep, type Store } from '@agentkeep/core';
import { bootstrapTenant } from '@agentkeep/core/operator';
import { createServer } from '@agentkeep/server';

/** How an agent is reached. */
export type Way = 'embedded' | 'HTTP';

/** All ways. */
export const ways: readonly Way[] = ['embedded', 'HTTP'];

/** How the keep is opened. */
type GroundOptions = Pick<KeepOptions, 'clock' | 'embed'>;

/** A keep for tests, which gives out agents. */
export class Ground implements AsyncDisposable {
  readonly #keep: Keep;
  readonly #adminSecret: string;
  readonly #embed: Embed | undefined;
  #scopes = 0;

  private constructor(keep: Keep, adminSecret: string, embed: Embed | undefined) {
    this.#keep = keep;
    this.#adminSecret = adminSecret;
    this.#embed = embed;
  }

  static async open(store: Store, options: GroundOptions = {}): Promise<Ground> {
    const keep = await openKeep({ store, ...options });
    const { secret } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
    return new Ground(keep, secret, options.embed);
  }

  /** Returns a scope that nothing was written to. */
  newScope(): ScopeInput {
    this.#scopes += 1;
    return { project_id: 'p', agent_id: `graph-${this.#scopes}`, visibility: 'shared' };
  }

  agent(way: Way, ...grants: ScopeInput[]): Promise<Agent> {
    return this.#agent(way, grants, this.#embed);
  }

  /** Returns an agent that leaves embeddings to others. */
  plainAgent(...grants: ScopeInput[]): Promise<Agent> {
    return this.#agent('HTTP', grants, undefined);
  }

  async #agent(way: Way, grants: ScopeInput[], embed: Embed | undefined): Promise<Agent> {
    const admin = await this.#keep.authenticate(this.#adminSecret);
    const { secret } = await admin.credentials.issue({
      subject_id: 'graph',
      capabilities: ['memory_read', 'memory_write'],
      grants,
    });
    if (way === 'embedded') return this.#keep.authenticate(secret);
    const fetch = createServer(this.#keep).request;
    return connect({ url: 'http://localhost', secret, fetch, embed });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#keep.close();
  }
}
