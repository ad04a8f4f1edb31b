/** The file with the profiles: the known servers and the location of the secret for each. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { PROFILES_VARIABLE } from '../../../options/client-variables.js';
import { syntaxFault } from '../../../options/syntax-fault.js';
import { CommandError } from '../../command/command-error.js';
import type { CommandIo } from '../../command/command.js';

const scope = v.strictObject({
  project_id: v.string(),
  agent_id: v.string(),
  mission_id: v.optional(v.string()),
  visibility: v.picklist(['private', 'shared']),
});

/** A server, its caller, and the location of the caller's secret. It holds no secret itself. */
const profile = v.strictObject({
  url: v.string(),
  /** Path of a file with the secret. */
  secret_file: v.optional(v.string()),
  /** Environment variable that holds the secret. */
  secret_variable: v.optional(v.string()),
  /** Name of a person who logs in for each command, with the password instead of a secret. */
  username: v.optional(v.string()),
  /** Tenant of the person; without one, an account of the installation. */
  tenant_id: v.optional(v.string()),
  password_file: v.optional(v.string()),
  password_variable: v.optional(v.string()),
  /** The scope of memory commands that name none. */
  scope: v.optional(scope),
});

const profileFile = v.strictObject({
  /** The profile of commands that name none. */
  default: v.optional(v.string()),
  profiles: v.record(v.string(), profile),
});

/** A server and the location of its secret. */
export type Profile = v.InferOutput<typeof profile>;

/** All profiles, by name. */
export type ProfileFile = v.InferOutput<typeof profileFile>;

/** Returns the path of the profiles: a file of the user, unless the environment names another. */
export function profilesPath({ environment }: Pick<CommandIo, 'environment'>): string {
  const named = environment[PROFILES_VARIABLE];
  if (named !== undefined) return named;
  const { XDG_CONFIG_HOME: folder, HOME: home = homedir() } = environment;
  return join(folder ?? join(home, '.config'), 'agentkeep', 'profiles.json');
}

/**
 * Reads the profiles; there are none if the file is absent.
 * @throws {CommandError} when the file cannot be read or does not hold profiles.
 */
export function readProfiles(io: Pick<CommandIo, 'environment'>): ProfileFile {
  const path = profilesPath(io);
  const text = textOf(path);
  if (text === undefined) return { profiles: {} };
  const fault = syntaxFault(text);
  if (fault !== undefined) {
    throw new CommandError(
      `${path} is not JSON: see line ${fault.line}, column ${fault.column}. Correct it, or remove it ` +
        'and make the profiles again.',
    );
  }
  const parsed = v.safeParse(profileFile, JSON.parse(text));
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  const where = v.getDotPath(issue) ?? 'the file';
  throw new CommandError(`${path}: ${where} is wrong. ${issue.message}.`);
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandError(`${path} cannot be read (${reason}). Check its permissions.`, { cause });
  }
}

/** Replaces the file; it and its folder are for the user only. */
export function writeProfiles(io: Pick<CommandIo, 'environment'>, profiles: ProfileFile): void {
  const path = profilesPath(io);
  const draft = `${path}.${process.pid}.tmp`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(draft, `${JSON.stringify(profiles, undefined, 2)}\n`, { mode: 0o600 });
    renameSync(draft, path);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandError(`${path} cannot be written (${reason}). Check its permissions.`, {
      cause,
    });
  }
}

/**
 * Returns a profile.
 * @throws {CommandError} when there is none of that name; it lists those that there are.
 */
export function profileNamed({ profiles }: ProfileFile, name: string): Profile {
  const found = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (found !== undefined) return found;
  const names = Object.keys(profiles).toSorted();
  const others = names.length === 0 ? 'There are none.' : `There are: ${names.join(', ')}.`;
  throw new CommandError(
    `There is no profile ${JSON.stringify(name)}. ${others} Make it with \`agentkeep profiles set\`.`,
  );
}
