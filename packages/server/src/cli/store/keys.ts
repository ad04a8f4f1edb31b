/** `agentkeep keys`: makes, examines, rotates and destroys the keys of an encrypted store. */
import {
  type EncryptionOptions,
  encryptionKeys,
  type RootKeyOptions,
} from '@agentkeep/core/operator';
import type { Invocation, OwnFlag, ServiceCommand } from '../command/command.js';
import { CommandError } from '../command/command-error.js';
import type { GivenFlags } from '../command/given-flags.js';
import { KEY_OPTIONS } from '../command/option-sets.js';
import { UsageError } from '../command/usage-error.js';
import { jsonLine } from '../output/printable.js';

const NAMED = '--encryption-keys ./keys --encryption-root-key ./root.key';

const recoveryFlag: OwnFlag = {
  name: 'recovery-key',
  placeholder: '<file>',
  summary: 'Key that wraps the escrow; created if the file does not exist.',
};

const init: ServiceCommand = {
  name: 'keys init',
  positionals: [],
  summary: 'Create the keys of an encrypted store and its root key file.',
  description: [
    'Makes the directory of keys, and the root key in a new file of mode 0600 unless the file is ' +
      'there. Start the server with both options: it encrypts what is stored, beside its work.',
    'Without the root key or the directory, nobody can read the data again. Keep copies of both ' +
      'apart from the copies of the data.',
  ],
  options: KEY_OPTIONS,
  hasJson: true,
  examples: [`agentkeep keys init ${NAMED}`],
  run: async (invocation) => {
    const made = await encryptionKeys.make(keysOf(invocation));
    await answer(invocation, made, `Made the keys ${made.id}`);
  },
};

const status: ServiceCommand = {
  name: 'keys status',
  positionals: [],
  summary: 'Count the tenant keys and check that the root key opens them.',
  description: ['Reads the directory of keys only, so it works beside a running server.'],
  options: KEY_OPTIONS,
  hasJson: true,
  examples: [`agentkeep keys status ${NAMED} --json`],
  run: async (invocation) => {
    const found = await encryptionKeys.status(keysOf(invocation));
    const { id, root, tenants, tenants_away: away, destroyed_keys: destroyed } = found;
    const lines = [
      `Keys ${id}, root key ${root}`,
      `  ${tenants} tenants, ${away} of them with a key that cannot be opened`,
      `  ${destroyed} destroyed keys`,
    ];
    await answer(invocation, found, lines.join('\n'));
  },
};

const rotate: ServiceCommand = {
  name: 'keys rotate',
  positionals: [],
  summary: 'Rewrap the keys of all tenants with another root key.',
  description: [
    'Rewrites one small file for each tenant; the data stays as it is. A rotation that was ' +
      'interrupted is completed by the same command. Start servers with the new root key then.',
  ],
  options: KEY_OPTIONS,
  ownFlags: [
    {
      name: 'new-root-key',
      placeholder: '<file>',
      summary: 'New root key; created if the file does not exist.',
    },
    {
      name: 'new-root-command',
      placeholder: '<program>',
      summary: 'Program that wraps and unwraps keys from now on.',
    },
  ],
  hasJson: true,
  examples: [`agentkeep keys rotate ${NAMED} --new-root-key ./root-2.key`],
  run: async (invocation) => {
    const newRootKey = newRootOf(invocation.flags);
    const done = await encryptionKeys.rotate({ ...keysOf(invocation), newRootKey });
    await answer(invocation, done, `Wrapped the keys of ${done.tenants} tenants`);
  },
};

const escrow: ServiceCommand = {
  name: 'keys escrow',
  positionals: ['file'],
  summary: 'Write the keys of all tenants to a file, wrapped with a recovery key.',
  description: [
    'The file replaces a lost root key, together with the directory of keys: see keys recover. ' +
      'Keys of subjects are not in it, so those that are destroyed stay destroyed.',
  ],
  options: KEY_OPTIONS,
  ownFlags: [recoveryFlag],
  hasJson: true,
  examples: [`agentkeep keys escrow ./escrow.json ${NAMED} --recovery-key ./recovery.key`],
  run: async (invocation) => {
    const done = await encryptionKeys.escrow(escrowOf(invocation));
    await answer(invocation, done, `Wrote the keys of ${done.tenants} tenants`);
  },
};

const recover: ServiceCommand = {
  name: 'keys recover',
  positionals: ['file'],
  summary: 'Rewrap the keys of an escrow with a new root key if the old one is lost.',
  description: ['Makes the root key if its file is absent. Needs the directory of keys.'],
  options: KEY_OPTIONS,
  ownFlags: [recoveryFlag],
  hasJson: true,
  examples: [`agentkeep keys recover ./escrow.json ${NAMED} --recovery-key ./recovery.key`],
  run: async (invocation) => {
    const done = await encryptionKeys.recover(escrowOf(invocation));
    await answer(invocation, done, `Recovered the keys of ${done.tenants} tenants`);
  },
};

const destroy: ServiceCommand = {
  name: 'keys destroy',
  positionals: ['tenant-id'],
  summary: 'Permanently destroy the key of a subject or a shared scope.',
  description: [
    'Nothing that was stored with the key can be read again, in the store, its snapshots or any ' +
      'copy: reading it is answered with 410 key_destroyed. Running servers notice within a few ' +
      'seconds. This cannot be undone.',
    'Names a subject for its private memory, or the project and agent of a shared scope.',
  ],
  options: KEY_OPTIONS,
  ownFlags: [
    {
      name: 'subject',
      placeholder: '<id>',
      summary: 'Subject whose private memory becomes unreadable.',
    },
    { name: 'project', placeholder: '<id>', summary: 'Project of a shared scope.' },
    { name: 'mission', placeholder: '<id>', summary: 'Mission of the scope, if it has one.' },
    { name: 'agent', placeholder: '<id>', summary: 'Agent of the scope.' },
  ],
  hasJson: true,
  examples: [`agentkeep keys destroy acme --subject ann ${NAMED}`],
  run: async (invocation) => {
    const done = await encryptionKeys.destroy({ ...keysOf(invocation), ...ownerOf(invocation) });
    if (done.key_id === null) throw new CommandError('There is no such key. Nothing was changed.');
    await answer(invocation, done, `Destroyed the key ${done.key_id}`);
  },
};

/** All of them. */
export const keyCommands: readonly ServiceCommand[] = [
  init,
  status,
  rotate,
  escrow,
  recover,
  destroy,
];

function keysOf({ options: { encryption } }: Invocation): EncryptionOptions {
  if (encryption !== undefined) return encryption;
  throw new UsageError('Name the keys with --encryption-keys and --encryption-root-key.');
}

function newRootOf(flags: GivenFlags): RootKeyOptions {
  const file = flags.text('new-root-key');
  const program = flags.text('new-root-command');
  if (file !== undefined && program === undefined) return { file };
  if (program !== undefined && file === undefined) return { command: [program] };
  throw new UsageError('Name either --new-root-key or --new-root-command.');
}

function escrowOf(invocation: Invocation) {
  const recovery = invocation.flags.text('recovery-key');
  if (recovery === undefined) throw new UsageError('Name the key with --recovery-key.');
  const [file = ''] = invocation.positionals;
  return { ...keysOf(invocation), recoveryKey: { file: recovery }, file };
}

function ownerOf({ flags, positionals: [tenantId = ''] }: Invocation) {
  const subjectId = flags.text('subject');
  const [project, agent] = [flags.text('project'), flags.text('agent')];
  if (subjectId !== undefined && project === undefined && agent === undefined) {
    return { tenantId, subjectId };
  }
  if (subjectId !== undefined || project === undefined || agent === undefined) {
    throw new UsageError('Name either --subject, or --project and --agent.');
  }
  const mission = flags.text('mission') ?? null;
  return { tenantId, scope: { project_id: project, mission_id: mission, agent_id: agent } };
}

async function answer({ io, json }: Invocation, document: object, text: string): Promise<void> {
  await io.writeOut(json ? jsonLine(document) : `${text}\n`);
}
