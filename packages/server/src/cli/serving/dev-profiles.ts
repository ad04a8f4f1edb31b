/** Profiles of the command line for the demo tenant of `agentkeep dev`. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  type Profile,
  profilesPath,
  readProfiles,
  writeProfiles,
} from '../client/profiles/profile-file.js';
import type { CommandIo } from '../command/command.js';
import { DEMO_SCOPE } from './demo-requests.js';

/** The profile of the agent, which commands use if the user has no other default. */
export const AGENT_PROFILE = 'dev';

/** The profile of the administrator. */
export const ADMIN_PROFILE = 'dev-admin';

type Io = Pick<CommandIo, 'environment'>;

/** The secrets of the demo tenant. */
interface DevSecrets {
  readonly agent: string;
  readonly admin: string;
}

/**
 * Writes the profiles, and a file for each secret beside them; only the user may read them. Returns
 * lines for the person. A failure is among them, because the secrets are not shown again.
 */
export function writeDevProfiles(io: Io, url: string, secrets: DevSecrets): string[] {
  try {
    return written(io, url, secrets);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [`The command line has no profiles for them: ${reason}`, ''];
  }
}

function written(io: Io, url: string, secrets: DevSecrets): string[] {
  const known = readProfiles(io);
  const folder = dirname(profilesPath(io));
  const fileOf = (name: string): string => join(folder, `${name}.secret`);
  const isOwn = (name: string): boolean => {
    const profile = Object.hasOwn(known.profiles, name) ? known.profiles[name] : undefined;
    return profile === undefined || profile.secret_file === fileOf(name);
  };
  const made: Record<string, Profile> = {};
  const add = (name: string, secret: string, members: Partial<Profile>): void => {
    if (!isOwn(name)) return;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    rmSync(fileOf(name), { force: true });
    writeFileSync(fileOf(name), `${secret}\n`, { mode: 0o600 });
    made[name] = { url, secret_file: fileOf(name), ...members };
  };
  add(AGENT_PROFILE, secrets.agent, { scope: DEMO_SCOPE });
  add(ADMIN_PROFILE, secrets.admin, {});
  const byDefault = known.default ?? AGENT_PROFILE;
  writeProfiles(io, { default: byDefault, profiles: { ...known.profiles, ...made } });
  const kept = [AGENT_PROFILE, ADMIN_PROFILE].filter((name) => !(name in made));
  const lines = kept.map((name) => `The profile "${name}" is yours and was kept as it is.`);
  return AGENT_PROFILE in made ? [...lines, ...trial(byDefault)] : [...lines, ''];
}

/** Returns a first command, with the profile if another one is the default. */
function trial(byDefault: string): string[] {
  const flag = byDefault === AGENT_PROFILE ? '' : ` --profile ${AGENT_PROFILE}`;
  return [
    `The command line has them too, as the profiles "${AGENT_PROFILE}" and "${ADMIN_PROFILE}":`,
    '',
    `  agentkeep remember 'The customer prefers short answers.'${flag}`,
    '',
  ];
}
