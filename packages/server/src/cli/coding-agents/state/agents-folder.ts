/** The folder in which the hooks of coding agents and their helper keep what they share. */
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The environment of a process, or a test's. */
export type Environment = Readonly<Partial<Record<string, string>>>;

/** The paths of the folder; only its user may enter it. */
export interface AgentsFolder {
  readonly path: string;
  /** Texts that wait for the server, a file each. */
  readonly spool: string;
  /** What each session said and was shown, as digests. */
  readonly sessions: string;
  /** What was captured and recalled, a file for each day. */
  readonly days: string;
  readonly settings: string;
  readonly paused: string;
  readonly installed: string;
  /** The store of a person who named no server. */
  readonly keep: string;
}

/** Name of the socket in the folder. A path of the whole may be too long for a socket. */
export const SOCKET = 'helper.sock';

/** Returns the home folder that an environment names, or the user's. */
export function homeOf(environment: Environment): string {
  return environment['HOME'] ?? homedir();
}

/**
 * Returns the folder of a user, which `AGENTKEEP_AGENTS_DIR` can move, and makes what is missing.
 */
export function agentsFolder(environment: Environment): AgentsFolder {
  const data = environment['XDG_DATA_HOME'] ?? join(homeOf(environment), '.local', 'share');
  const path = environment['AGENTKEEP_AGENTS_DIR'] ?? join(data, 'agentkeep', 'coding-agents');
  const inside = (name: string) => join(path, name);
  const folder = {
    path,
    spool: inside('spool'),
    sessions: inside('sessions'),
    days: inside('days'),
    settings: inside('settings.json'),
    paused: inside('paused.json'),
    installed: inside('installed.json'),
    keep: inside('keep'),
  };
  for (const each of [path, folder.spool, folder.sessions, folder.days]) {
    mkdirSync(each, { recursive: true, mode: 0o700 });
  }
  return folder;
}
