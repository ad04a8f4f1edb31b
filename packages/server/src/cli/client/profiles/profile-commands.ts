/** `agentkeep profiles …`: manages the known servers and the location of the secret for each. */
import { resolve } from 'node:path';
import { DEFAULT_URL } from '../../../options/client-variables.js';
import type { ClientCommand, ClientInvocation, OwnFlag } from '../../command/command.js';
import type { GivenFlags } from '../../command/given-flags.js';
import { scopeFlags, scopeOf } from '../../command/scope-flags.js';
import { UsageError } from '../../command/usage-error.js';
import { cellOf, jsonLine } from '../../output/printable.js';
import { tableOf } from '../../output/table.js';
import {
  type Profile,
  type ProfileFile,
  profileNamed,
  profilesPath,
  readProfiles,
  writeProfiles,
} from './profile-file.js';

const SUMMARY =
  'A profile names a server and where the secret of its caller is: in a file, or in a variable ' +
  'of the environment. The profiles are in ~/.config/agentkeep/profiles.json, or in the file that ' +
  'AGENTKEEP_PROFILES_FILE names. They hold no secret.';

const setFlags: readonly OwnFlag[] = [
  { name: 'url', placeholder: '<url>', summary: `Address of the server. Default: ${DEFAULT_URL}.` },
  { name: 'secret-file', placeholder: '<file>', summary: 'File with the secret.' },
  {
    name: 'secret-variable',
    placeholder: '<name>',
    summary: 'Environment variable with the secret.',
  },
  {
    name: 'username',
    placeholder: '<name>',
    summary: 'Username that signs in for each command, instead of a secret.',
  },
  {
    name: 'tenant-id',
    placeholder: '<id>',
    summary: 'Tenant of the person. Default: the installation.',
  },
  { name: 'password-file', placeholder: '<file>', summary: 'File with the password.' },
  {
    name: 'password-variable',
    placeholder: '<name>',
    summary: 'Environment variable with the password.',
  },
  ...scopeFlags,
  { name: 'default', summary: 'Make this the default profile.' },
];

const set: ClientCommand = {
  name: 'profiles set',
  positionals: ['name'],
  summary: 'Create or replace a profile.',
  description: [
    SUMMARY,
    'The first profile becomes the default. The flags of a scope make it the scope of memory ' +
      'commands that name none.',
  ],
  isCall: false,
  ownFlags: setFlags,
  examples: [
    'agentkeep profiles set work --url https://keep.example --secret-file ~/.agentkeep-work',
    'agentkeep profiles set admin --username admin --password-file ./password',
  ],
  run: async ({ io, positionals: [name = ''], flags }) => {
    const { default: byDefault, profiles } = readProfiles(io);
    const changed = { ...profiles, [name]: profileOf(flags) };
    const chosen = flags.has('default') ? name : (byDefault ?? name);
    writeProfiles(io, { default: chosen, profiles: changed });
    const role = chosen === name ? ', the default' : '';
    await io.writeOut(`Profile ${cellOf(name)}${role}, in ${profilesPath(io)}\n`);
  },
};

function profileOf(flags: GivenFlags): Profile {
  const place = (kind: 'secret' | 'password') => {
    const [file, variable] = [flags.text(`${kind}-file`), flags.text(`${kind}-variable`)];
    if (file !== undefined && variable !== undefined) {
      throw new UsageError(`Give --${kind}-file or --${kind}-variable, not both.`);
    }
    return {
      ...(file === undefined ? {} : { [`${kind}_file`]: resolve(file) }),
      ...(variable === undefined ? {} : { [`${kind}_variable`]: variable }),
    };
  };
  const [username, tenantId] = [flags.text('username'), flags.text('tenant-id')];
  const [secret, password, scope] = [place('secret'), place('password'), scopeOf(flags)];
  const isPerson = username !== undefined;
  if (
    isPerson === Object.keys(password).length > 0 &&
    isPerson !== Object.keys(secret).length > 0
  ) {
    return {
      url: flags.text('url') ?? DEFAULT_URL,
      ...secret,
      ...(isPerson ? { username, ...password } : {}),
      ...(tenantId === undefined ? {} : { tenant_id: tenantId }),
      ...(scope === undefined ? {} : { scope: withoutNull(scope) }),
    };
  }
  throw new UsageError(
    'Give --secret-file or --secret-variable; for a person, --username with --password-file or ' +
      '--password-variable.',
  );
}

function withoutNull({ mission_id: mission, ...scope }: NonNullable<ReturnType<typeof scopeOf>>) {
  return typeof mission === 'string' ? { ...scope, mission_id: mission } : scope;
}

const list: ClientCommand = {
  name: 'profiles list',
  positionals: [],
  summary: 'List the profiles.',
  description: [SUMMARY],
  isCall: false,
  hasJson: true,
  examples: ['agentkeep profiles list'],
  run: async ({ io, json }) => {
    const file = readProfiles(io);
    if (json) return io.writeOut(jsonLine(file));
    const rows = Object.entries(file.profiles).map(([name, profile]) => [
      name === file.default ? `${cellOf(name)} *` : cellOf(name),
      cellOf(profile.url),
      cellOf(profile.username),
      cellOf(
        profile.secret_file ??
          profile.secret_variable ??
          profile.password_file ??
          profile.password_variable,
      ),
      cellOf(profile.scope && Object.values(profile.scope).join('/')),
    ]);
    const header = ['NAME', 'URL', 'PERSON', 'SECRET IN', 'SCOPE'];
    return io.writeOut(rows.length === 0 ? 'None.\n' : tableOf(header, rows, io));
  },
};

const use: ClientCommand = {
  name: 'profiles use',
  positionals: ['name'],
  summary: 'Set the default profile.',
  description: [SUMMARY],
  isCall: false,
  examples: ['agentkeep profiles use work'],
  run: (invocation) =>
    change(invocation, (file, name) => {
      profileNamed(file, name);
      return { ...file, default: name };
    }),
};

const remove: ClientCommand = {
  name: 'profiles remove',
  positionals: ['name'],
  summary: 'Remove a profile.',
  description: [SUMMARY, 'Files with secrets stay.'],
  isCall: false,
  examples: ['agentkeep profiles remove work'],
  run: (invocation) =>
    change(invocation, ({ default: byDefault, profiles }, name) => {
      profileNamed({ profiles }, name);
      const kept = Object.entries(profiles).filter(([each]) => each !== name);
      return {
        ...(byDefault === name || byDefault === undefined ? {} : { default: byDefault }),
        profiles: Object.fromEntries(kept),
      };
    }),
};

/**
 * Changes the file of profiles.
 * @throws {CommandError} when there is no profile of that name.
 */
function change(
  { io, positionals: [name = ''] }: ClientInvocation,
  changed: (file: ProfileFile, name: string) => ProfileFile,
): Promise<void> {
  writeProfiles(io, changed(readProfiles(io), name));
  return io.writeOut(`Changed ${profilesPath(io)}\n`);
}

/** The commands of profiles, in the order of the help. */
export const profileCommands: readonly ClientCommand[] = [set, list, use, remove];
