/**
 * `agentkeep create-admin`: an account that manages others.
 *
 * @module
 */
import { AgentkeepError, CONTRACT_VERSION, type ErrorCode } from '@agentkeep/core';
import { createAdmin as create, generatePassword, type NewAdmin } from '@agentkeep/core/operator';
import { readAdminPassword } from '../options/admin-password.js';
import { CHANGE_OPTIONS, type Command, type Invocation } from './command.js';
import { CommandError } from './command-error.js';
import { deliver } from './deliver.js';
import { openToChange } from './open-to-change.js';
import { UsageError } from './usage-error.js';

const roles = ['SuperAdmin', 'Admin'] as const;

/** Prints one JSON line; a password is in it only if nobody gave one. */
export const createAdmin: Command = {
  name: 'create-admin',
  positionals: ['username'],
  summary: 'Make an account that manages others, such as the first one.',
  description: [
    'Makes an account with the role SuperAdmin or Admin, of the installation or of one tenant. It ' +
      'logs in at /api/v1/auth/login. No account is built in, and serving makes none.',
    'The password comes from AGENTKEEP_ADMIN_PASSWORD, or from the file that ' +
      'AGENTKEEP_ADMIN_PASSWORD_FILE names. Without both, one is generated and shown this once.',
    'Prints one JSON line {"contract_version","account"}, with "password" if it was generated. A ' +
      'name that is taken is refused, and nothing is changed.',
    'Needs the data directory for itself, so stop the server first.',
  ],
  options: CHANGE_OPTIONS,
  readsAdminPassword: true,
  ownFlags: [
    {
      name: 'tenant-id',
      placeholder: '<tenant-id>',
      summary: 'The tenant to make it in. Default: the installation.',
    },
    { name: 'email', placeholder: '<email>', summary: 'Its e-mail address. Default: none.' },
    {
      name: 'role',
      placeholder: '<role>',
      summary: 'SuperAdmin, or Admin, who manages no administrators. Default: SuperAdmin.',
    },
    {
      name: 'credential-id',
      placeholder: '<uuid>',
      summary: 'The credential of the same tenant that it acts with. Default: none.',
    },
  ],
  examples: [
    'agentkeep create-admin root --data-dir ./data',
    'AGENTKEEP_ADMIN_PASSWORD_FILE=./password agentkeep create-admin ann --tenant-id acme',
  ],
  run,
};

async function run({ io, options, positionals, ownFlags }: Invocation): Promise<void> {
  const [username = ''] = positionals;
  const role = roleOf(ownFlags['role']);
  const given = readAdminPassword(io.environment);
  await using keep = await openToChange(options);
  const password = given ?? generatePassword(keep);
  const admin: NewAdmin = {
    username,
    password,
    role,
    tenantId: textOf(ownFlags['tenant-id']),
    email: textOf(ownFlags['email']),
    credentialId: textOf(ownFlags['credential-id']),
  };
  const account = await create(keep, admin).catch((error: unknown) => {
    throw refusalOf(admin, error);
  });
  const answer = {
    contract_version: CONTRACT_VERSION,
    account,
    ...(given === undefined ? { password } : {}),
  };
  const otherwise = 'Make another one, which can set a new password for this one.';
  await deliver(io, answer, otherwise);
}

function roleOf(flag: string | true | undefined): (typeof roles)[number] {
  const role = roles.find((each) => each === (flag ?? roles[0]));
  if (role !== undefined) return role;
  throw new UsageError(
    `--role: ${JSON.stringify(flag)} is refused. Allowed is SuperAdmin or Admin.`,
  );
}

/** The value of a flag that always takes one. */
function textOf(value: string | true | undefined): string | undefined {
  return value === true ? undefined : value;
}

/** Why nothing was made, for people. */
export function refusalOf({ username, tenantId }: NewAdmin, error: unknown): unknown {
  if (!(error instanceof AgentkeepError)) return error;
  const told = explanation(error, JSON.stringify(username), JSON.stringify(tenantId ?? ''));
  return told === undefined ? error : new CommandError(told, { cause: error });
}

function explanation(
  { code, message, members }: AgentkeepError,
  username: string,
  tenantId: string,
): string | undefined {
  const told: { readonly [C in ErrorCode]?: string } = {
    already_exists: `The username ${username} or the e-mail address is taken, so nothing was changed.`,
    weak_password: `The password is too weak. It takes: ${message}.`,
    tenant_not_found: `There is no tenant ${tenantId}. Make it with bootstrap-tenant first.`,
    invalid_request: `Refused: ${members.map((member) => memberRules[member] ?? member).join('; ')}.`,
  };
  return told[code];
}

const memberRules: Readonly<Partial<Record<string, string>>> = {
  username: 'the username takes 1 to 256 UTF-8 bytes, not blank, without control characters',
  tenantId: '--tenant-id takes 1 to 256 UTF-8 bytes, not blank, without control characters',
  email: '--email takes 3 to 254 bytes with one @ and text on both sides',
  credentialId: '--credential-id takes the id of a live credential of the same tenant',
};
