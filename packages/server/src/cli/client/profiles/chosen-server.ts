/** Chooses the server of a command: by flags, the environment, or a profile. */
import {
  agentSecretFile,
  agentSecretVariables,
  readAgentSecret,
} from '../../../options/agent-secret.js';
import { DEFAULT_URL, PROFILE_VARIABLE, URL_VARIABLE } from '../../../options/client-variables.js';
import { readSecretFile } from '../../../options/secret-file.js';
import { secretText } from '../../../options/secret-text.js';
import type { ScopeInput } from '@agentkeep/client';
import { CommandError } from '../../command/command-error.js';
import type { CommandIo } from '../../command/command.js';
import type { GivenFlags } from '../../command/given-flags.js';
import { UsageError } from '../../command/usage-error.js';
import { requirePrivate } from './private-file.js';
import { type Profile, profileNamed, profilesPath, readProfiles } from './profile-file.js';

/** The caller: a secret, or a person who logs in. */
type Caller =
  | { readonly secret: string }
  | {
      readonly username: string;
      readonly password: string;
      readonly tenantId: string | undefined;
    };

/** A server, its caller, and the source that named both, for messages. */
export interface ChosenServer {
  readonly url: string;
  readonly caller: Caller;
  readonly scope: ScopeInput | undefined;
  readonly origin: string;
  /** Files that the address, the secret or the password was read from. */
  readonly files: readonly string[];
}

/**
 * Chooses the server. Address and secret come from one source, so that a secret is never sent to
 * another server than its own: `--profile`; `--url` or `--secret-file`; the variables of the
 * environment; the default profile.
 * @throws {UsageError} for flags or variables that name two places.
 * @throws {CommandError} when there is none, or its secret cannot be read.
 */
export function chooseServer(io: CommandIo, flags: GivenFlags): ChosenServer {
  const found = findServer(io, flags);
  if (found !== undefined) {
    for (const file of found.files) requirePrivate(io, file);
    return found;
  }
  throw new CommandError(
    'No server is chosen. Make a profile with `agentkeep profiles set <name> --url <url> ' +
      '--secret-file <file>`, or set AGENTKEEP_URL and AGENTKEEP_SECRET.',
  );
}

/** Chooses the server as {@link chooseServer} does; returns `undefined` if no source names one. */
export function findServer(io: CommandIo, flags: GivenFlags): ChosenServer | undefined {
  const named = flags.text('profile');
  const isInFlags = flags.has('url') || flags.has('secret-file');
  if (named !== undefined) {
    if (isInFlags) throw new UsageError('Give either --profile, or --url with --secret-file.');
    return ofProfile(io, named);
  }
  return serverWithoutName(io, flags);
}

/**
 * Chooses the server as {@link findServer} does where no flag names a profile; returns `undefined`
 * if no source names one.
 */
export function serverWithoutName(io: CommandIo, flags: GivenFlags): ChosenServer | undefined {
  const { environment } = io;
  const isInFlags = flags.has('url') || flags.has('secret-file');
  const fromEnvironment = [URL_VARIABLE, ...agentSecretVariables].filter(
    (name) => environment[name] !== undefined,
  );
  if (isInFlags || fromEnvironment.length > 0) {
    const profile = environment[PROFILE_VARIABLE];
    if (!isInFlags && profile !== undefined) {
      throw new UsageError(
        `${PROFILE_VARIABLE} and ${fromEnvironment.join(', ')} are set. Unset one of them.`,
      );
    }
    return {
      url: flags.text('url') ?? environment[URL_VARIABLE] ?? DEFAULT_URL,
      caller: { secret: readAgentSecret(environment, flags.text('secret-file')) },
      scope: undefined,
      files: [agentSecretFile(environment, flags.text('secret-file'))].filter(isText),
      origin: isInFlags ? 'the flags' : 'the environment',
    };
  }
  const byDefault = environment[PROFILE_VARIABLE] ?? readProfiles(io).default;
  return byDefault === undefined ? undefined : ofProfile(io, byDefault);
}

function isText(value: string | undefined): value is string {
  return value !== undefined;
}

function ofProfile(io: CommandIo, name: string): ChosenServer {
  const profile = profileNamed(readProfiles(io), name);
  return {
    url: profile.url,
    caller: callerOf(profile, io, name),
    scope: profile.scope,
    origin: `the profile ${name}`,
    files: [profilesPath(io), profile.secret_file, profile.password_file].filter(isText),
  };
}

function callerOf(profile: Profile, { environment }: CommandIo, name: string): Caller {
  const { username, tenant_id: tenantId } = profile;
  const [kind, file, variable] =
    username === undefined
      ? (['secret', profile.secret_file, profile.secret_variable] as const)
      : (['password', profile.password_file, profile.password_variable] as const);
  const text =
    file === undefined
      ? environment[variable ?? '']
      : readSecretFile(file, `${kind}_file of the profile ${name}`);
  if (text === undefined) {
    const place = variable === undefined ? 'It names no file and no variable' : `Set ${variable}`;
    throw new CommandError(
      `The profile ${name} has no ${kind}. ${place}, or name a file: ` +
        `\`agentkeep profiles set ${name} --${kind}-file <file>\`.`,
    );
  }
  if (username === undefined) {
    return { secret: secretText(text, `The profile ${name}: ${file ?? variable ?? ''}`) };
  }
  return { username, password: text, tenantId };
}
