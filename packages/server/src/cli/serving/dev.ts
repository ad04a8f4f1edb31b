/** `agentkeep dev`: makes a demo tenant and serves it, in one step. */
import { resolve } from 'node:path';
import {
  AgentkeepError,
  CONTRACT_DOCUMENT_VERSION,
  type CredentialSpecInput,
  type Keep,
} from '@agentkeep/core';
import {
  bootstrapMaster,
  bootstrapTenant,
  createAdmin,
  generatePassword,
} from '@agentkeep/core/operator';
import { readableLines } from '../../log/readable-lines.js';
import { readAdminPassword } from '../../options/admin-password.js';
import { contractRoute } from '@agentkeep/client/routes';
import { CONSOLE_PAGE } from '../../console/console-paths.js';
import type { ConsoleLinks } from '../../console/console-links.js';
import type { ServiceCommand } from '../command/command.js';
import { SERVE_OPTIONS } from '../command/option-sets.js';
import { refusalOf } from '../store/create-admin.js';
import {
  ADMIN_VARIABLE,
  AGENT_VARIABLE,
  demoRequests,
  loginRequest,
  MASTER_VARIABLE,
  masterRequest,
  PASSWORD_VARIABLE,
} from './demo-requests.js';
import { ADMIN_PROFILE, AGENT_PROFILE, writeDevProfiles } from './dev-profiles.js';
import { isNew, markDemo, resetDemo } from './reset-demo.js';
import { serveKeep } from './serve-keep.js';

const TENANT = 'demo';

/** Username of the SuperAdmin of the installation. */
const ADMIN = 'admin';

/** Username of the person of the tenant, and the subject of its credential. */
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
  subject_id: 'agent',
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

/** Prints secrets and requests to standard output, and the log to standard error. */
export const dev: ServiceCommand = {
  name: 'dev',
  positionals: [],
  summary: 'Try Agentkeep: make a demo tenant, print requests to paste, and serve.',
  description: [
    `Makes the data directory if it is absent, and in it the tenant "${TENANT}" with an ` +
      'administrator, an agent and a person, the master of the installation, and its administrator ' +
      'account "admin". Prints each secret once, with requests to paste into a shell, then ' +
      'serves until Ctrl+C.',
    'The password of the account comes from AGENTKEEP_ADMIN_PASSWORD, or from the file named ' +
      'by AGENTKEEP_ADMIN_PASSWORD_FILE; without either, one is generated.',
    `A new tenant gets the profiles "${AGENT_PROFILE}" and "${ADMIN_PROFILE}", so that commands such ` +
      'as `agentkeep memory list` work at once; only the user may read them. Beside a server that ' +
      `still has them, they get the number of the port: "${AGENT_PROFILE}-8080".`,
    'An existing tenant, master or account is kept, and its secrets are not shown again. To ' +
      'start fresh, give --reset, which removes a data directory that dev made.',
    'Secrets and requests go to standard output, the log to standard error: as JSON lines, or on ' +
      'a terminal as lines for people.',
  ],
  options: SERVE_OPTIONS,
  ownFlags: [{ name: 'reset', summary: 'Remove the data of an earlier dev first.' }],
  readsAdminPassword: true,
  examples: ['agentkeep dev', 'agentkeep dev --data-dir /tmp/agentkeep --port 8080'],
  run: async ({ io, options, flags }) => {
    const dataDir = resolve(options.dataDir);
    const given = readAdminPassword(io.environment);
    if (flags.has('reset')) await resetDemo(options);
    const isOwn = options.storeUrl === undefined && isNew(dataDir);
    const writeLog = (text: string) =>
      io.writeError(io.isWatched === true ? readableLines(text) : text);
    await serveKeep(options, writeLog, async (keep, url, links) => {
      if (isOwn) markDemo(dataDir);
      const secrets = await bootstrapDemo(keep);
      const master = await makeMaster(keep);
      const account = await makeAccount(keep, given);
      const text = [
        ...served(url, dataDir),
        ...consoleText(url, links),
        ...(secrets === undefined
          ? keptTenant
          : devIntroduction(url, secrets, await writeDevProfiles(io, url, secrets))),
        ...(master === undefined ? [] : masterText(url, master)),
        ...accountText(url, account),
        `Documentation: ${url}/docs`,
        ...(secrets === undefined ? [] : [`All operations: ${url}${contractRoute.path}`]),
        'Stop with Ctrl+C.',
      ];
      await io.writeOut(`${text.join('\n')}\n`);
    });
  },
};

interface DemoSecrets {
  readonly admin: string;
  readonly agent: string;
}

/** Makes the tenant and its credentials; returns `undefined` when the tenant exists. */
async function bootstrapDemo(keep: Keep): Promise<DemoSecrets | undefined> {
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

/** The outcome for the account. The password is present only if it was generated. */
type DemoAccount = 'kept' | 'made' | { readonly password: string };

async function makeAccount(keep: Keep, given: string | undefined): Promise<DemoAccount> {
  const password = given ?? generatePassword(keep);
  const admin = { username: ADMIN, password };
  try {
    await createAdmin(keep, admin);
    return given === undefined ? { password } : 'made';
  } catch (error) {
    if (error instanceof AgentkeepError && error.code === 'already_exists') return 'kept';
    throw refusalOf(admin, error);
  }
}

function devIntroduction(
  url: string,
  { admin, agent }: DemoSecrets,
  profiles: readonly string[],
): string[] {
  return [
    `Tenant "${TENANT}" is new. Its secrets are shown only once; paste them into a shell:`,
    '',
    `  ${ADMIN_VARIABLE}='${admin}'`,
    `  ${AGENT_VARIABLE}='${agent}'`,
    '',
    ...profiles,
    ...demoRequests(url).flatMap(({ title, command }) => [title, '', `  ${command}`, '']),
  ];
}

const keptTenant = [
  `Tenant "${TENANT}" already exists and was kept. Its secrets were shown when it was made`,
  'and cannot be shown again. To start fresh, stop this server and start it with --reset,',
  'or name another directory with --data-dir.',
  '',
];

function masterText(url: string, secret: string): string[] {
  const { title, command } = masterRequest(url);
  return [
    'The master of the installation is new. Its secret is shown only once:',
    '',
    `  ${MASTER_VARIABLE}='${secret}'`,
    '',
    title,
    '',
    `  ${command}`,
    '',
  ];
}

function accountText(url: string, account: DemoAccount): string[] {
  if (account === 'kept') return [];
  const { title, command } = loginRequest(url, ADMIN);
  const about =
    account === 'made'
      ? [`The account "${ADMIN}" is new and has the password given in`, `${PASSWORD_VARIABLE}.`]
      : [
          `The account "${ADMIN}" is new. Its password is shown only once:`,
          '',
          `  ${PASSWORD_VARIABLE}='${account.password}'`,
        ];
  return [...about, '', title, '', `  ${command}`, ''];
}

/** Returns a link that signs in to the console once, for the person of the tenant. */
function consoleText(url: string, links?: ConsoleLinks): string[] {
  if (links === undefined) return [];
  return [
    'Open the console. The link signs you in once, within ten minutes; start again for a new one:',
    '',
    `  ${url}${CONSOLE_PAGE}#link=${links.issue({ tenantId: TENANT, username: PERSON })}`,
    '',
  ];
}

function served(url: string, dataDir: string): string[] {
  return [`Agentkeep ${CONTRACT_DOCUMENT_VERSION} serves ${url}`, `Data: ${dataDir}`, ''];
}
