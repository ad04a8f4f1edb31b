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

/** Writes the profiles, and a file for each secret beside them; only the user may read them. */
export function writeDevProfiles(
  io: Pick<CommandIo, 'environment'>,
  url: string,
  secrets: { readonly agent: string; readonly admin: string },
): void {
  const folder = dirname(profilesPath(io));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const profileOf = (name: string, secret: string): Profile => {
    const file = join(folder, `${name}.secret`);
    rmSync(file, { force: true });
    writeFileSync(file, `${secret}\n`, { mode: 0o600 });
    return { url, secret_file: file };
  };
  const known = readProfiles(io);
  writeProfiles(io, {
    default: known.default ?? AGENT_PROFILE,
    profiles: {
      ...known.profiles,
      [AGENT_PROFILE]: { ...profileOf(AGENT_PROFILE, secrets.agent), scope: DEMO_SCOPE },
      [ADMIN_PROFILE]: profileOf(ADMIN_PROFILE, secrets.admin),
    },
  });
}
