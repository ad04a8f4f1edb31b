/** The agents: one credential per speaker, and one for a reader of all conversations. */
import type { Agent, CredentialSpecInput } from '@agentkeep/core';
import { AGENT_ID, privateScope, PROJECT_ID, sharedScope, subjectOf } from './dialogue-records.js';
import type { KeepAccess } from './keep-access.js';
import type { Conversation } from './read-dialogues.js';

/** Reads and writes the shared scope of one conversation, and private notes. */
function speakerSpec(conversation: string, speaker: string): CredentialSpecInput {
  return {
    subject_id: subjectOf(conversation, speaker),
    capabilities: ['memory_read', 'memory_write'],
    grants: [sharedScope(conversation), privateScope(conversation)],
  };
}

/** Reads the shared scope of any conversation by a scope policy, so that new ones need no grant. */
const readerSpec: CredentialSpecInput = {
  subject_id: 'reader',
  capabilities: ['memory_read'],
  grants: [],
  scope_policy: {
    version: 'company_scopes_v1',
    projects: { mode: 'only', ids: [PROJECT_ID] },
    agents: { mode: 'only', ids: [AGENT_ID] },
    missions: { mode: 'all' },
    allow_unassigned_mission: false,
    visibilities: ['shared'],
  },
};

/** The agents of a run. `await using` revokes their credentials at the end of the run. */
export class Cast implements AsyncDisposable {
  readonly #access: KeepAccess;
  readonly #agents = new Map<string, Agent>();
  readonly #issued: { readonly id: string; readonly revision: number }[] = [];

  constructor(access: KeepAccess) {
    this.#access = access;
  }

  /** Issues the credentials for the conversations. */
  async issueFor(conversations: readonly Conversation[]): Promise<void> {
    await this.#issue(readerSpec);
    for (const { id, speakers } of conversations) {
      for (const speaker of speakers) await this.#issue(speakerSpec(id, speaker));
    }
  }

  /** The agent that reads the shared scope of every conversation and nothing else. */
  get reader(): Agent {
    return this.#agent(readerSpec.subject_id);
  }

  /** Returns the agent of a speaker in a conversation. */
  speaker(conversation: string, speaker: string): Agent {
    return this.#agent(subjectOf(conversation, speaker));
  }

  /** Revokes the issued credentials; records stay. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const { id, revision } of this.#issued.splice(0)) {
      await this.#access.admin.credentials.revoke(id, revision);
    }
  }

  async #issue(spec: CredentialSpecInput): Promise<void> {
    const { credential, secret } = await this.#access.admin.credentials.issue(spec);
    this.#issued.push(credential);
    this.#agents.set(spec.subject_id, await this.#access.agentOf(secret));
  }

  #agent(subject: string): Agent {
    const agent = this.#agents.get(subject);
    if (agent === undefined) throw new Error(`No credential was issued for ${subject}.`);
    return agent;
  }
}
