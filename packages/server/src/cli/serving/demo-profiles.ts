/** Profiles of the command line for the callers that `agentkeep dev` makes. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import {
  type Profile,
  profilesPath,
  readProfiles,
  writeProfiles,
} from '../client/profiles/profile-file.js';
import { CommandError } from '../command/command-error.js';
import type { CommandIo } from '../command/command.js';
import { DEMO_SCOPE } from './demo-requests.js';
import { demoFolder } from './dev-directory.js';

/** A caller: the file of its secret or password, and its profile. */
interface DemoCaller {
  readonly file: string;
  readonly profile: string;
  readonly members: (file: string) => Partial<Profile>;
}

const CALLERS = {
  agent: {
    file: 'agent',
    profile: 'demo',
    members: (file) => ({ secret_file: file, scope: DEMO_SCOPE }),
  },
  admin: {
    file: 'admin',
    profile: 'demo-admin',
    members: (file) => ({ secret_file: file }),
  },
  master: {
    file: 'master',
    profile: 'demo-master',
    members: (file) => ({ secret_file: file }),
  },
  password: {
    file: 'password',
    profile: 'demo-root',
    members: (file) => ({ username: 'admin', password_file: file }),
  },
} as const satisfies Readonly<Record<string, DemoCaller>>;

/** Secrets that were made in this run, by their callers. */
export type DemoSecrets = Readonly<Partial<Record<keyof typeof CALLERS, string | undefined>>>;

/** Keeps secrets in private files of the data directory, where the profiles find them. */
export function keepDemoSecrets(dataDir: string, secrets: DemoSecrets): void {
  const folder = demoFolder(dataDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const { file } of Object.values(CALLERS)) {
    const secret = secrets[file];
    if (secret !== undefined) writeFileSync(join(folder, file), `${secret}\n`, { mode: 0o600 });
  }
}

/**
 * Makes a profile for each caller whose secret is kept, or moves it to this server. Profiles that
 * `dev` did not make stay as they are, and so does the default. Returns lines for the person.
 */
export function writeDemoProfiles(io: CommandIo, url: string, dataDir: string): string[] {
  try {
    return written(io, url, dataDir);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return [`The command line has no profiles for this server. ${error.message}`, ''];
  }
}

function written(io: CommandIo, url: string, dataDir: string): string[] {
  const { default: byDefault = CALLERS.agent.profile, profiles } = readProfiles(io);
  const made: Record<string, Profile> = {};
  for (const { file, profile, members } of Object.values<DemoCaller>(CALLERS)) {
    const path = join(demoFolder(dataDir), file);
    const known = Object.hasOwn(profiles, profile) ? profiles[profile] : undefined;
    if (!existsSync(path) || (known !== undefined && !isOfDev(known))) continue;
    made[profile] = { url, ...members(path) };
  }
  const names = Object.keys(made);
  if (names.length === 0) return [];
  writeProfiles(io, { default: byDefault, profiles: { ...profiles, ...made } });
  const flag = byDefault in made ? '' : ` --profile ${names[0] ?? ''}`;
  return [
    `Profiles for the command line are in ${profilesPath(io)}: ${names.join(', ')}.`,
    'In another terminal:',
    '',
    `  agentkeep remember 'The customer prefers short answers.'${flag}`,
    `  agentkeep recall 'How should I answer the customer?'${flag}`,
    '',
  ];
}

/** Recognizes a profile of any directory of `dev` by the place of its secret. */
function isOfDev({ secret_file: secret, password_file: password }: Profile): boolean {
  const path = secret ?? password ?? '';
  return (
    basename(dirname(path)) === basename(demoFolder('')) &&
    Object.values(CALLERS).some(({ file }) => file === basename(path))
  );
}
