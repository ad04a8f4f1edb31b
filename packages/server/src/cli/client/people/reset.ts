/** `agentkeep people reset`: prints a link by which a person sets a new password. */
import type { CallOperation, OutputOf } from '@agentkeep/core/clients';
import type { ClientCommand, ClientInvocation } from '../../command/command.js';
import { CommandError } from '../../command/command-error.js';
import { jsonLine } from '../../output/printable.js';
import { withConnection } from '../connection.js';
import { numberOf } from '../flag-values.js';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Nothing of the account changes until the link is used. */
export const reset: ClientCommand = {
  name: 'people reset',
  positionals: ['name'],
  summary: 'Print a link by which a person sets a new password.',
  description: [
    'Makes a link for an account, which the name or the id of the account names. The person opens ' +
      'it and sets a new password; the link works once, and then all sessions of the account end. ' +
      'Until then the old password works.',
    'A new link ends the one before. An account that is not active gets none.',
  ],
  isCall: true,
  hasJson: true,
  ownFlags: [
    {
      name: 'hours',
      placeholder: '<n>',
      summary: 'How many hours the link works, 1 to 72. Default: 24.',
    },
    {
      name: 'tenant-id',
      placeholder: '<id>',
      summary: 'Tenant, for an administrator of the installation.',
    },
  ],
  examples: ['agentkeep people reset ann@example.com', 'agentkeep people reset bob --hours 2'],
  run,
};

async function run(invocation: ClientInvocation): Promise<void> {
  const { io, json, flags, positionals } = invocation;
  const [name = ''] = positionals;
  const [hours, tenantId] = [flags.text('hours'), flags.text('tenant-id')];
  const parameters = tenantId === undefined ? {} : { tenant_id: tenantId };
  const document = hours === undefined ? {} : { valid_hours: numberOf(hours, '--hours') };
  await withConnection(invocation, async ({ call, url }) => {
    const id = UUID.test(name) ? name : await idOf(call, name, parameters);
    const made = await call('createResetLink', { id, parameters, document });
    const link = new URL(made.path, url).href;
    if (json) return io.writeOut(jsonLine({ ...made, link }));
    await io.writeOut(`${link}\n`);
    io.writeError(
      `Send this link to ${made.user.username}, over a channel that only this person reads. It works ` +
        `once, until ${made.expires_at}, and is not shown again.\n`,
    );
  });
}

async function idOf(
  call: CallOperation,
  name: string,
  parameters: { readonly tenant_id?: string },
): Promise<string> {
  const wanted = name.trim().toLowerCase();
  let cursor: string | null = null;
  do {
    const position: { cursor?: string } = cursor === null ? {} : { cursor };
    const parts = { parameters: { ...parameters, ...position } };
    const page: OutputOf<'listUsers'> = await call('listUsers', parts);
    const found = page.users.find(({ username }) => username.toLowerCase() === wanted);
    if (found !== undefined) return found.id;
    cursor = page.next_cursor;
  } while (cursor !== null);
  throw new CommandError(
    `No account is named ${JSON.stringify(name)}. See \`agentkeep people list\`.`,
  );
}
