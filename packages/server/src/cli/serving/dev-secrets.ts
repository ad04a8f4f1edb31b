/** Where `agentkeep dev` leaves its secrets: in files of the user, each with its profile. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { routes } from '@agentkeep/client/routes';
import {
  type Profile,
  profilesPath,
  readProfiles,
  writeProfiles,
} from '../client/profiles/profile-file.js';
import { CommandError } from '../command/command-error.js';
import type { CommandIo } from '../command/command.js';

/** The scope of the profile of the agent, and of MCP where nothing else names one. */
export const DEMO_SCOPE = {
  project_id: 'demo',
  agent_id: 'assistant',
  visibility: 'private',
} as const;

/** Username of the administrator of the installation. */
export const ADMIN = 'admin';

/** The profile of the agent, which commands use if the user has no other default. */
export const AGENT_PROFILE = 'dev';

/** How long an earlier server may take to say that it serves. */
const ANSWER_MS_MAX = 2_000;

type Io = Pick<CommandIo, 'environment'>;

/** The secrets that were made at a start, by whose they are. */
export interface DevSecrets {
  readonly agent?: string | undefined;
  /** Of the administrator of the tenant. */
  readonly admin?: string | undefined;
  /** Of the master of the installation. */
  readonly master?: string | undefined;
  /** The password of the account {@link ADMIN}, if it was generated. */
  readonly password?: string | undefined;
}

/** What follows the name of the agent's profile in the names of profiles and files. */
const suffixes = { agent: '', admin: '-admin', master: '-master', password: '-account' } as const;

/** How the profiles of each are more than an address and a file. */
const others: Readonly<Record<keyof DevSecrets, Partial<Profile>>> = {
  agent: { scope: DEMO_SCOPE },
  admin: {},
  master: {},
  password: { username: ADMIN },
};

/** Where the secrets are. */
export interface WrittenSecrets {
  /** The folder as a person writes it. */
  readonly folder: string;
  readonly files: readonly { readonly whose: keyof DevSecrets; readonly name: string }[];
  /** The flag that chooses the agent's profile, with a space before it; empty if none is needed. */
  readonly flag: string;
}

/**
 * Writes a file for each secret, which only the user may read, and the profiles.
 *
 * @throws {Error} when they cannot be written. The caller shows the secrets then.
 */
export async function writeDevSecrets(
  io: Io,
  url: string,
  secrets: DevSecrets,
): Promise<WrittenSecrets> {
  const known = readProfiles(io);
  const folder = dirname(profilesPath(io));
  const profileOf = (name: string): Profile | undefined =>
    Object.hasOwn(known.profiles, name) ? known.profiles[name] : undefined;
  const fileOf = (name: string): string => join(folder, `${name}.secret`);
  const isFree = (name: string): boolean =>
    Object.values(suffixes).every((suffix) => {
      const { secret_file, password_file } = profileOf(name + suffix) ?? {};
      return (secret_file ?? password_file ?? fileOf(name + suffix)) === fileOf(name + suffix);
    });
  const name = await chosenName(url, profileOf(AGENT_PROFILE)?.url, isFree);
  const made: Record<string, Profile> = {};
  const files: { whose: keyof DevSecrets; name: string }[] = [];
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const whose of Object.keys(suffixes) as (keyof DevSecrets)[]) {
    const secret = secrets[whose];
    if (secret === undefined) continue;
    const profile = name + suffixes[whose];
    const file = fileOf(profile);
    rmSync(file, { force: true });
    writeFileSync(file, `${secret}\n`, { mode: 0o600 });
    const member = whose === 'password' ? 'password_file' : 'secret_file';
    made[profile] = { url, [member]: file, ...others[whose] };
    files.push({ whose, name: `${profile}.secret` });
  }
  const byDefault = known.default ?? name;
  writeProfiles(io, { default: byDefault, profiles: { ...known.profiles, ...made } });
  return {
    folder: shortened(folder, io),
    files,
    flag: byDefault === name ? '' : ` --profile ${name}`,
  };
}

/**
 * Returns the name of the agent's profile: one with the port where another is in use, by the user
 * or by a server beside.
 */
async function chosenName(
  url: string,
  earlier: string | undefined,
  isFree: (name: string) => boolean,
): Promise<string> {
  const beside = `${AGENT_PROFILE}-${new URL(url).port}`;
  if (isFree(AGENT_PROFILE)) {
    const isBeside = earlier !== undefined && earlier !== url && (await isServing(earlier));
    if (!isBeside) return AGENT_PROFILE;
  }
  if (isFree(beside)) return beside;
  throw new CommandError(`The profiles "${AGENT_PROFILE}" and "${beside}" are yours.`);
}

/** Returns whether a server answers at a URL. */
async function isServing(url: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(ANSWER_MS_MAX);
    return (await fetch(new URL(routes.getHealth.path, url), { signal })).ok;
  } catch {
    return false;
  }
}

/** Returns a path with `~` for the home of the user. */
function shortened(path: string, { environment: { HOME: home = homedir() } }: Io): string {
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
