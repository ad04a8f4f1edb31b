/**
 * `agentkeep dev`: from nothing to a served demo tenant in one step.
 * @module
 */
import { resolve } from 'node:path';
import {
  AgentkeepError,
  CONTRACT_DOCUMENT_VERSION,
  type CredentialSpecInput,
  type Keep,
} from '@agentkeep/core';
import { bootstrapTenant } from '@agentkeep/core/operator';
import { contractRoute } from '../routes.js';
import { type Command, SERVE_OPTIONS } from './command.js';
import { ADMIN_VARIABLE, AGENT_VARIABLE, demoRequests } from './demo-requests.js';
import { serveKeep } from './serve-keep.js';

const TENANT = 'demo';

/** Reads and writes memory in every scope of the tenant. */
const AGENT: CredentialSpecInput = {
  subject_id: 'agent',
  capabilities: ['memory_read', 'memory_write'],
  grants: [],
  scope_policy: {
    version: 'company_scopes_v1',
    projects: { mode: 'all' },
    agents: { mode: 'all' },
    missions: { mode: 'all' },
    allow_unassigned_mission: true,
    visibilities: ['private', 'shared'],
  },
};

/** Secrets and requests go to standard output, the log to standard error. */
export const dev: Command = {
  name: 'dev',
  positionals: [],
  summary: 'Try Agentkeep: make a demo tenant, print requests to paste, and serve.',
  description: [
    `Makes the data directory if it is absent, and in it the tenant "${TENANT}" with an ` +
      'administrator and an agent. Prints each secret once, with requests to paste into a ' +
      'shell, then serves until Ctrl+C.',
    'A tenant that is already there is kept and its secrets are not shown again. To start ' +
      'fresh, remove the data directory or name another one.',
    'Secrets and requests go to standard output, the log to standard error as JSON lines.',
  ],
  options: SERVE_OPTIONS,
  examples: ['agentkeep dev', 'agentkeep dev --data-dir /tmp/agentkeep --port 8080'],
  run: ({ io, options }) => {
    const dataDir = resolve(options.dataDir);
    return serveKeep(options, io.writeError, async (keep, url) => {
      const secrets = await bootstrapDemo(keep);
      await io.writeOut(
        secrets === undefined ? kept(url, dataDir) : welcome(url, dataDir, secrets),
      );
    });
  },
};

interface DemoSecrets {
  readonly admin: string;
  readonly agent: string;
}

/** Makes the tenant and its credentials; `undefined` when the tenant is already there. */
async function bootstrapDemo(keep: Keep): Promise<DemoSecrets | undefined> {
  try {
    const { secret: admin } = await bootstrapTenant(keep, { tenantId: TENANT, subjectId: 'admin' });
    const administrator = await keep.authenticate(admin);
    const { secret: agent } = await administrator.credentials.issue(AGENT);
    return { admin, agent };
  } catch (error) {
    if (error instanceof AgentkeepError && error.code === 'tenant_exists') return undefined;
    throw error;
  }
}

function welcome(url: string, dataDir: string, { admin, agent }: DemoSecrets): string {
  const requests = demoRequests(url).flatMap(({ title, command }) => [
    title,
    '',
    `  ${command}`,
    '',
  ]);
  return lines([
    ...served(url, dataDir),
    `Tenant "${TENANT}" is new. Its secrets are shown this once; paste them into a shell:`,
    '',
    `  ${ADMIN_VARIABLE}='${admin}'`,
    `  ${AGENT_VARIABLE}='${agent}'`,
    '',
    ...requests,
    `All operations: ${url}${contractRoute.path}`,
    'Stop with Ctrl+C.',
  ]);
}

function kept(url: string, dataDir: string): string {
  return lines([
    ...served(url, dataDir),
    `Tenant "${TENANT}" is already there and was kept. Its secrets were shown when it was made`,
    'and cannot be shown again. To start fresh, stop this server and remove the data',
    'directory, or name another one with --data-dir.',
    '',
    'Stop with Ctrl+C.',
  ]);
}

function served(url: string, dataDir: string): string[] {
  return [`Agentkeep ${CONTRACT_DOCUMENT_VERSION} serves ${url}`, `Data: ${dataDir}`, ''];
}

function lines(all: readonly string[]): string {
  return `${all.join('\n')}\n`;
}
