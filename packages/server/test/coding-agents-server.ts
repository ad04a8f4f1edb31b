/** A server for hooks of coding agents, and what hosts tell these. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CredentialSpecInput, inMemoryStore, type Keep, openKeep } from '@agentkeep/core';
import { bootstrapTenant } from '@agentkeep/core/operator';
import { freePort } from '@agentkeep/testkit/free-port';
import { createServer } from '../src/index.js';
import { type RunningServer, startServer } from '../src/lifecycle/start-server.js';
import type { Machine } from './coding-agents-fixture.js';

/** Returns what a host tells its hook of a prompt. */
export function prompt(folder: string, session: string, turn: string, text: string) {
  const event = { session_id: session, prompt_id: turn, cwd: folder };
  return { ...event, hook_event_name: 'UserPromptSubmit', prompt: text };
}

/** Returns what a host tells its hook of an answer. */
export function stop(folder: string, session: string, turn: string, text: string) {
  const event = { session_id: session, prompt_id: turn, cwd: folder };
  return { ...event, hook_event_name: 'Stop', last_assistant_message: text };
}

/** The agent of the person. */
export const AGENT: CredentialSpecInput = {
  subject_id: 'ann',
  capabilities: ['memory_read', 'memory_write'],
  grants: [
    { project_id: 'keep.example/acme/shop', agent_id: 'coding-agent', visibility: 'private' },
    { project_id: 'keep.example/acme/shop', agent_id: 'coding-agent', visibility: 'shared' },
    { project_id: 'keep.example/acme/blog', agent_id: 'coding-agent', visibility: 'private' },
  ],
};

/** A server that can be stopped and started again at its port, over one store. */
class Served {
  readonly keep: Keep;
  #running: RunningServer | undefined;
  #port: number | undefined;

  constructor(keep: Keep) {
    this.keep = keep;
  }

  async start(): Promise<string> {
    this.#port ??= await freePort();
    const place = { host: '127.0.0.1', port: this.#port };
    this.#running = await startServer(createServer(this.keep), place);
    return `http://127.0.0.1:${this.#port}`;
  }

  async stop(): Promise<void> {
    await this.#running?.stop();
    this.#running = undefined;
  }
}

/** Serves memory in this process, and installs the hooks of a machine with it. */
export async function servedFor(machine: Machine) {
  const keep = await openKeep({ store: inMemoryStore() });
  const { secret } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  const admin = await keep.authenticate(secret);
  const agent = await admin.credentials.issue(AGENT);
  const file = join(machine.home, 'secret');
  writeFileSync(file, agent.secret, { mode: 0o600 });
  const served = new Served(keep);
  const url = await served.start();
  const words = ['install', 'claude-code', '--server', url, '--secret-file', file];
  const { status, error } = await machine.run(words);
  if (status !== 0) throw new Error(error);
  const { secret: own } = agent;
  return { served, admin, agent: await keep.authenticate(own), secret: own };
}
