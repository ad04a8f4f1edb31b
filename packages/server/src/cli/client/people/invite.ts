/** `agentkeep people invite`: lets a person in, and prints the link that she sets a password by. */
import type { ScopeInput } from '@agentkeep/client';
import type { PartsOf } from '@agentkeep/core/clients';
import type { ClientCommand, ClientInvocation } from '../../command/command.js';
import { UsageError } from '../../command/usage-error.js';
import { jsonLine } from '../../output/printable.js';
import { withConnection } from '../connection.js';
import { numberOf } from '../flag-values.js';

const ROLES = ['reader', 'writer', 'proposer', 'reviewer', 'admin'] as const;
const VISIBILITIES = ['private', 'shared'] as const;

/** Makes the account with all that belongs to it. Only the invited person knows the password. */
export const invite: ClientCommand = {
  name: 'people invite',
  positionals: ['name'],
  summary: 'Invite a person with a role, and print the link where she sets a password.',
  description: [
    'Makes an account with a role in the scopes, and prints a link. The person opens it, sets a ' +
      'password and signs in; the link works once. The name is an e-mail address, or a username.',
    'The same name again, before the invitation is accepted, makes a new link and ends the one ' +
      'before. `people invitations` lists those that wait, `people revoke-invitation` ends one.',
  ],
  isCall: true,
  hasJson: true,
  ownFlags: [
    {
      name: 'role',
      placeholder: '<role>',
      summary: 'What she may do in the scopes. Required.',
      choices: ROLES,
    },
    {
      name: 'scope',
      placeholder: '<project/agent>',
      summary: 'Scope that she works in: project/agent, or project/mission/agent.',
      isRepeatable: true,
    },
    {
      name: 'visibility',
      placeholder: '<v>',
      summary: 'Whether the scopes are shared with others. Default: shared.',
      choices: VISIBILITIES,
    },
    {
      name: 'days',
      placeholder: '<n>',
      summary: 'How many days the link works, 1 to 30. Default: 7.',
    },
    {
      name: 'tenant-id',
      placeholder: '<id>',
      summary: 'Tenant, for an administrator of the installation.',
    },
  ],
  examples: [
    'agentkeep people invite ann@example.com --role reviewer --scope demo/assistant',
    'agentkeep people invite bob --role admin',
  ],
  run,
};

async function run(invocation: ClientInvocation): Promise<void> {
  const { io, json } = invocation;
  const parts = invitationFrom(invocation);
  await withConnection(invocation, async ({ call, url }) => {
    const invited = await call('inviteUser', parts);
    const link = new URL(invited.path, url).href;
    if (json) return io.writeOut(jsonLine({ ...invited, link }));
    const { user, expires_at: end } = invited.invitation;
    await io.writeOut(`${link}\n`);
    io.writeError(
      `Send this link to ${user.username}, over a channel that only she reads. It works once, until ` +
        `${end.slice(0, 10)}, and is not shown again.\n`,
    );
  });
}

function invitationFrom({ flags, positionals }: ClientInvocation): PartsOf<'inviteUser'> {
  const [name = ''] = positionals;
  const role = ROLES.find((each) => each === flags.text('role'));
  if (role === undefined) throw new UsageError(`--role is required: ${ROLES.join(', ')}.`);
  const visibility = VISIBILITIES.find((each) => each === flags.text('visibility')) ?? 'shared';
  const scopes = flags.all('scope').map((text) => scopeFrom(text, visibility));
  const [days, tenantId] = [flags.text('days'), flags.text('tenant-id')];
  return {
    parameters: tenantId === undefined ? {} : { tenant_id: tenantId },
    document: {
      username: name,
      ...(name.includes('@') ? { email: name } : {}),
      role,
      scopes,
      ...(days === undefined ? {} : { valid_days: numberOf(days, '--days') }),
    },
  };
}

function scopeFrom(text: string, visibility: (typeof VISIBILITIES)[number]): ScopeInput {
  const [project_id = '', ...rest] = text.split('/');
  const agent_id = rest.at(-1) ?? '';
  const isWhole = [project_id, ...rest].every((each) => each !== '');
  if (!isWhole || rest.length < 1 || rest.length > 2) {
    throw new UsageError(
      `--scope: ${JSON.stringify(text)} is not project/agent or project/mission/agent.`,
    );
  }
  const [mission_id] = rest;
  return rest.length === 1
    ? { project_id, agent_id, visibility }
    : { project_id, mission_id, agent_id, visibility };
}
