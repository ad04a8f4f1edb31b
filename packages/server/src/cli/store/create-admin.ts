/** `agentkeep create-admin`: makes an administrator account. */
import { AgentkeepError, CONTRACT_VERSION, type ErrorCode } from '@agentkeep/core';
import { createAdmin as create, generatePassword, type NewAdmin } from '@agentkeep/core/operator';
import { readAdminPassword } from '../../options/admin-password.js';
import type { Invocation, ServiceCommand } from '../command/command.js';
import { CHANGE_OPTIONS } from '../command/option-sets.js';
import { CommandError } from '../command/command-error.js';
import { deliver } from '../output/deliver.js';
import { openToChange } from './open-to-change.js';
import { UsageError } from '../command/usage-error.js';

const roles = ['SuperAdmin', 'Admin'] as const;

/** Prints one JSON line, with the password only if it was generated. */
export const createAdmin: ServiceCommand = {
  name: 'create-admin',
  positionals: ['username'],
  summary: 'Create an administrator account, usually the first one.',
  description: [
    'Makes an account with the role SuperAdmin or Admin, in the installation or in one ' +
      'tenant. It logs in at /api/v1/auth/login. There is no built-in account, and `agentkeep ' +
      'serve` makes none.',
    'A SuperAdmin of the installation is its owner: the account gets all capabilities of the ' +
      'installation, and so manages tenants, in the console too. With --credential-id, it has only ' +
      'those of that credential.',
    'The password comes from AGENTKEEP_ADMIN_PASSWORD, or from the file named by ' +
      'AGENTKEEP_ADMIN_PASSWORD_FILE. Without either, one is generated and shown only once.',
    'Prints one JSON line {"contract_version","account"}, with "password" if it was ' +
      'generated. If the name is taken, nothing is changed.',
    'The server must be stopped first.',
  ],
  options: CHANGE_OPTIONS,
  readsAdminPassword: true,
  ownFlags: [
    {
      name: 'tenant-id',
      placeholder: '<tenant-id>',
      summary: 'Tenant of the account. Default: the installation.',
    },
    {
      name: 'email',
      placeholder: '<email>',
      summary: 'E-mail address of the account. Default: none.',
    },
    {
      name: 'role',
      placeholder: '<role>',
      summary: 'SuperAdmin, or Admin, which cannot manage administrators. Default: SuperAdmin.',
    },
    {
      name: 'credential-id',
      placeholder: '<uuid>',
      summary: 'Credential of the same authority to bind the account to.',
    },
  ],
  examples: [
    'agentkeep create-admin root --data-dir ./data',
    'AGENTKEEP_ADMIN_PASSWORD_FILE=./password agentkeep create-admin ann --tenant-id acme',
  ],
  run,
};

async function run({ io, options, positionals, flags }: Invocation): Promise<void> {
  const [username = ''] = positionals;
  const role = roleOf(flags.text('role'));
  const given = readAdminPassword(io.environment);
  await using keep = await openToChange(options);
  const password = given ?? generatePassword(keep);
  const [tenantId, credentialId] = [flags.text('tenant-id'), flags.text('credential-id')];
  const isOwner = tenantId === undefined && credentialId === undefined && role === 'SuperAdmin';
  const email = flags.text('email');
  const admin: NewAdmin = { username, password, role, tenantId, email, credentialId, isOwner };
  const account = await create(keep, admin).catch((error: unknown) => {
    throw refusalOf(admin, error);
  });
  const answer = {
    contract_version: CONTRACT_VERSION,
    account,
    ...(given === undefined ? { password } : {}),
  };
  const otherwise = "Make another administrator, which can reset this one's password.";
  await deliver(answer, { io, keeper: undefined, otherwise });
}

function roleOf(flag: string | undefined): (typeof roles)[number] {
  const role = roles.find((each) => each === (flag ?? roles[0]));
  if (role !== undefined) return role;
  throw new UsageError(
    `--role: ${JSON.stringify(flag)} is refused. Allowed is SuperAdmin or Admin.`,
  );
}

/** Explains a refusal to the operator; returns other errors unchanged. */
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
    already_exists: `The username ${username} or the e-mail address is taken. Nothing was changed.`,
    weak_password: `The password is too weak. It needs: ${message}.`,
    tenant_not_found: `Tenant ${tenantId} does not exist. Make it with bootstrap-tenant first.`,
    invalid_request: `Refused: ${members.map(({ path }) => memberRules[path] ?? path).join('; ')}.`,
  };
  return told[code];
}

const memberRules: Readonly<Partial<Record<string, string>>> = {
  username:
    'the username must have 1 to 256 UTF-8 bytes, no invisible characters, and single spaces ' +
    'inside only',
  tenantId:
    '--tenant-id must have 1 to 256 UTF-8 bytes, not be blank and hold no control characters',
  email: '--email must have 3 to 254 bytes and one @ with text on both sides',
  credentialId: '--credential-id must be the id of a live credential of the same tenant',
};
