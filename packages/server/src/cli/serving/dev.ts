/** `agentkeep dev`: makes a demo tenant and serves it, in one step. */
import { resolve } from 'node:path';
import { AgentkeepError, type CredentialSpecInput, type Keep } from '@agentkeep/core';
import {
  bootstrapMaster,
  bootstrapTenant,
  createAdmin,
  generatePassword,
} from '@agentkeep/core/operator';
import { readableLines } from '../../log/readable-lines.js';
import { readAdminPassword } from '../../options/admin-password.js';
import { CONSOLE_PAGE } from '../../console/console-paths.js';
import type { ConsoleLinks, LinkedAccount } from '../../console/console-links.js';
import type { CommandIo, ServiceCommand } from '../command/command.js';
import { SERVE_OPTIONS } from '../command/option-sets.js';
import { refusalOf } from '../store/create-admin.js';
import { programName } from '../command/program-name.js';
import {
  ADMIN,
  AGENT_PROFILE,
  DEMO_SCOPE,
  type DevSecrets,
  writeDevSecrets,
} from './dev-secrets.js';
import { devText, type SecretsOutcome } from './dev-text.js';
import { isNew, markDemo, resetDemo } from './reset-demo.js';
import { serveKeep } from './serve-keep.js';

const TENANT = 'demo';

/**
 * Username of the person of the tenant, and the subject of all that acts for her: so the console
 * shows her what her agent keeps in private scopes.
 */
const PERSON = 'owner';

const EVERY_SCOPE = {
  grants: [],
  scope_policy: {
    version: 'company_scopes_v1',
    projects: { mode: 'all' },
    agents: { mode: 'all' },
    missions: { mode: 'all' },
    allow_unassigned_mission: true,
    visibilities: ['private', 'shared'],
  },
} satisfies Partial<CredentialSpecInput>;

/** Reads and writes memory in every scope of the tenant. */
const AGENT: CredentialSpecInput = {
  subject_id: PERSON,
  capabilities: ['memory_read', 'memory_write'],
  ...EVERY_SCOPE,
};

/** What the console shows: memory with its review, learning, and who may do what. */
const OWNER: CredentialSpecInput = {
  subject_id: PERSON,
  capabilities: [
    ...(['memory_read', 'memory_write', 'memory_review'] as const),
    ...(['experience_read', 'tool_read'] as const),
  ],
  ...EVERY_SCOPE,
};

/** Prints where the secrets are and what to try; the log goes to standard error. */
export const dev: ServiceCommand = {
  name: 'dev',
  positionals: [],
  summary: 'Try Agentkeep: start a server with a demo tenant.',
  description: [
    `Makes the data directory if it is absent, and in it the tenant "${TENANT}" with an ` +
      'administrator, an agent and a person, the master of the installation, and its owner, the ' +
      'account "admin". Writes each new secret to a file, prints what to try, and serves until ' +
      'Ctrl+C.',
    'The password of the account comes from AGENTKEEP_ADMIN_PASSWORD, or from the file named ' +
      'by AGENTKEEP_ADMIN_PASSWORD_FILE; without either, one is generated.',
    `Each file with a secret has a profile, so that commands such as \`agentkeep recall\` work at ` +
      `once; only the user may read them: "${AGENT_PROFILE}" of the agent, "${AGENT_PROFILE}-admin" ` +
      `of the administrator, "${AGENT_PROFILE}-master" and "${AGENT_PROFILE}-account". Where these ` +
      'are yours, or a server still answers at their address, the names have the port: ' +
      `"${AGENT_PROFILE}-8080".`,
    'An existing tenant, master or account is kept with its secret. To start over, use --reset, ' +
      'which removes a data directory that dev made.',
    'The log goes to standard error: as JSON lines, or on a terminal as lines for people.',
  ],
  options: SERVE_OPTIONS,
  ownFlags: [{ name: 'reset', summary: 'Delete the data of earlier runs of dev first.' }],
  readsAdminPassword: true,
  examples: ['agentkeep dev', 'agentkeep dev --data-dir /tmp/agentkeep --port 8080'],
  run: async ({ io, options, flags }) => {
    const dataDir = resolve(options.dataDir);
    const given = readAdminPassword(io.environment);
    if (flags.has('reset')) await resetDemo(options);
    const isOwn = options.storeUrl === undefined && isNew(dataDir);
    const writeLog = (text: string) =>
      io.writeError(io.isWatched === true ? readableLines(text) : text);
    const mcp = options.mcp && { ...options.mcp, defaultScope: DEMO_SCOPE };
    await serveKeep({ ...options, mcp }, writeLog, async (keep, url, links) => {
      if (isOwn) markDemo(dataDir);
      const secrets: DevSecrets = {
        ...(await bootstrapDemo(keep)),
        master: await makeMaster(keep),
        password: await makeAccount(keep, given),
      };
      const lines = devText({
        url,
        dataDir,
        link: linkOf(url, links, { tenantId: TENANT, username: PERSON }),
        ownerLink: linkOf(url, links, { username: ADMIN }),
        outcome: await keepSecrets(io, url, secrets),
        program: programName(process.argv[1] ?? '', process.cwd()),
      });
      await io.writeOut(`${lines.join('\n')}\n`);
    });
  },
};

/** Writes new secrets. The outcome has them if that fails: they cannot be shown again. */
async function keepSecrets(
  io: CommandIo,
  url: string,
  secrets: DevSecrets,
): Promise<SecretsOutcome> {
  if (Object.values(secrets).every((secret) => secret === undefined)) return 'kept';
  try {
    return await writeDevSecrets(io, url, secrets);
  } catch (error) {
    return { secrets, reason: error instanceof Error ? error.message : String(error) };
  }
}

/** Makes the tenant and its credentials; returns `undefined` when the tenant exists. */
async function bootstrapDemo(keep: Keep): Promise<DevSecrets | undefined> {
  try {
    const { secret: admin } = await bootstrapTenant(keep, { tenantId: TENANT, subjectId: 'admin' });
    const administrator = await keep.authenticate(admin);
    const { secret: agent } = await administrator.credentials.issue(AGENT);
    const { credential } = await administrator.credentials.issue(OWNER);
    const person = { tenantId: TENANT, username: PERSON, role: 'Admin' } as const;
    const password = generatePassword(keep);
    await createAdmin(keep, { ...person, password, credentialId: credential.id });
    return { admin, agent };
  } catch (error) {
    if (error instanceof AgentkeepError && error.code === 'tenant_exists') return undefined;
    throw error;
  }
}

/** Makes the master and returns its secret; returns `undefined` when a master exists. */
async function makeMaster(keep: Keep): Promise<string | undefined> {
  try {
    return (await bootstrapMaster(keep, 'root')).secret;
  } catch (error) {
    if (error instanceof AgentkeepError && error.code === 'master_exists') return undefined;
    throw error;
  }
}

/** Makes the account; returns its password if it is new and none was given. */
async function makeAccount(keep: Keep, given: string | undefined): Promise<string | undefined> {
  const password = given ?? generatePassword(keep);
  const admin = { username: ADMIN, password, isOwner: true };
  try {
    await createAdmin(keep, admin);
    return given === undefined ? password : undefined;
  } catch (error) {
    if (error instanceof AgentkeepError && error.code === 'already_exists') return undefined;
    throw refusalOf(admin, error);
  }
}

/** Returns a link that signs an account in to the console once. */
function linkOf(
  url: string,
  links: ConsoleLinks | undefined,
  account: LinkedAccount,
): string | undefined {
  return links && `${url}${CONSOLE_PAGE}#link=${links.issue(account)}`;
}
