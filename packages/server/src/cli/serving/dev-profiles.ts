/** Profiles of the command line for the demo tenant of `agentkeep dev`. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  type Profile,
  profilesPath,
  readProfiles,
  writeProfiles,
} from '../client/profiles/profile-file.js';
import { PORT_DEFAULT } from '../../options/client-variables.js';
import type { CommandIo } from '../command/command.js';
import { DEMO_SCOPE } from './demo-requests.js';

/** The names of the profiles of a server. */
interface DevProfileNames {
  /** That of the agent, which commands use if the user has no other default. */
  readonly agent: string;
  readonly admin: string;
}

/** Returns the names of the profiles, which are others for a server on another port. */
export function devProfileNames(port: number): DevProfileNames {
  const agent = port === 0 || port === PORT_DEFAULT ? 'dev' : `dev-${port}`;
  return { agent, admin: `${agent}-admin` };
}

type Io = Pick<CommandIo, 'environment'>;

/** The server that the profiles lead to, and the port that it was asked to listen on. */
interface DevServer {
  readonly url: string;
  readonly port: number;
}

/** The secrets of the demo tenant. */
interface DevSecrets {
  readonly agent: string;
  readonly admin: string;
}

/**
 * Writes the profiles, and a file for each secret beside them; only the user may read them. Returns
 * lines for the person. A failure is among them, because the secrets are not shown again.
 */
export function writeDevProfiles(io: Io, server: DevServer, secrets: DevSecrets): string[] {
  try {
    return written(io, server, secrets);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [`The command line has no profiles for them: ${reason}`, ''];
  }
}

function written(io: Io, { url, port }: DevServer, secrets: DevSecrets): string[] {
  const names = devProfileNames(port);
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
  add(names.agent, secrets.agent, { scope: DEMO_SCOPE });
  add(names.admin, secrets.admin, {});
  const byDefault = known.default ?? names.agent;
  writeProfiles(io, { default: byDefault, profiles: { ...known.profiles, ...made } });
  const kept = [names.agent, names.admin].filter((name) => !(name in made));
  const lines = kept.map((name) => `The profile "${name}" is yours and was kept as it is.`);
  return names.agent in made ? [...lines, ...trial(names, byDefault)] : [...lines, ''];
}

/** Returns a first command, with the profile if another one is the default. */
function trial({ agent, admin }: DevProfileNames, byDefault: string): string[] {
  const flag = byDefault === agent ? '' : ` --profile ${agent}`;
  return [
    `The command line has them too, as the profiles "${agent}" and "${admin}":`,
    '',
    `  agentkeep remember 'The customer prefers short answers.'${flag}`,
    '',
  ];
}
