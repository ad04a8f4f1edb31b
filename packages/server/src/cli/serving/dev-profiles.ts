/** Profiles of the command line for the demo tenant of `agentkeep dev`. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { routes } from '@agentkeep/client/routes';
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
export const ADMIN_PROFILE = adminOf(AGENT_PROFILE);

/** How long an earlier server may take to say that it serves. */
const ANSWER_MS_MAX = 2_000;

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
export async function writeDevProfiles(
  io: Io,
  url: string,
  secrets: DevSecrets,
): Promise<string[]> {
  try {
    return await written(io, url, secrets);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [`The command line has no profiles for them: ${reason}`, ''];
  }
}

async function written(io: Io, url: string, secrets: DevSecrets): Promise<string[]> {
  const known = readProfiles(io);
  const folder = dirname(profilesPath(io));
  const fileOf = (name: string): string => join(folder, `${name}.secret`);
  const profileOf = (name: string): Profile | undefined =>
    Object.hasOwn(known.profiles, name) ? known.profiles[name] : undefined;
  const isOwn = (name: string): boolean => {
    const profile = profileOf(name);
    return profile === undefined || profile.secret_file === fileOf(name);
  };
  const earlier = isOwn(AGENT_PROFILE) ? profileOf(AGENT_PROFILE)?.url : undefined;
  const isBeside = earlier !== undefined && earlier !== url && (await isServing(earlier));
  const agent = isBeside ? `${AGENT_PROFILE}-${new URL(url).port}` : AGENT_PROFILE;
  const admin = adminOf(agent);
  const made: Record<string, Profile> = {};
  const add = (name: string, secret: string, members: Partial<Profile>): void => {
    if (!isOwn(name)) return;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    rmSync(fileOf(name), { force: true });
    writeFileSync(fileOf(name), `${secret}\n`, { mode: 0o600 });
    made[name] = { url, secret_file: fileOf(name), ...members };
  };
  add(agent, secrets.agent, { scope: DEMO_SCOPE });
  add(admin, secrets.admin, {});
  const byDefault = known.default ?? agent;
  writeProfiles(io, { default: byDefault, profiles: { ...known.profiles, ...made } });
  const kept = [agent, admin].filter((name) => !(name in made));
  const lines = kept.map((name) => `The profile "${name}" is yours and was kept as it is.`);
  return agent in made ? [...lines, ...trial(agent, byDefault)] : [...lines, ''];
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

function adminOf(agent: string): string {
  return `${agent}-admin`;
}

/** Returns a first command, with the profile if another one is the default. */
function trial(agent: string, byDefault: string): string[] {
  const flag = byDefault === agent ? '' : ` --profile ${agent}`;
  return [
    `The command line has them too, as the profiles "${agent}" and "${adminOf(agent)}":`,
    '',
    `  agentkeep remember 'The customer prefers short answers.'${flag}`,
    '',
  ];
}
