/** The location and the server that the flags of `agentkeep install` name. */
import { parsedUrl } from '@agentkeep/core/clients';
import { accessSync, constants } from 'node:fs';
import { resolve } from 'node:path';
import { argv, cwd, execPath } from 'node:process';
import type { ClientInvocation } from '../../command/command.js';
import { CommandError } from '../../command/command-error.js';
import { UsageError } from '../../command/usage-error.js';
import { requirePrivate } from '../../client/profiles/private-file.js';
import { profileNamed, readProfiles } from '../../client/profiles/profile-file.js';
import { homeOf } from '../state/agents-folder.js';
import type { ServerSettings } from '../state/settings.js';
import type { HostLocation } from './host-files.js';

type Given = Pick<ClientInvocation, 'io' | 'flags'>;

/** Returns where to install. A file of a project is for all who work there, so it names no path. */
export function locationOf({ io, flags }: Given, hasServer: boolean): HostLocation {
  const isProject = flags.has('project');
  const { environment } = io;
  return {
    home: homeOf(environment),
    project: isProject ? cwd() : undefined,
    environment,
    program: isProject ? ['agentkeep'] : [execPath, resolve(argv[1] ?? '')],
    hasServer,
  };
}

/**
 * Returns the server of the flags; `undefined` if none is named.
 * @throws {UsageError} for a server without a file of its secret.
 */
export function serverOf({ io, flags }: Given): ServerSettings | undefined {
  const [url, given] = [flags.text('server'), flags.text('secret-file')];
  const named = flags.text('profile');
  if (flags.has('local') && (url ?? given ?? named) !== undefined) {
    throw new UsageError('--local is for a store of this machine, without a server.');
  }
  if (named !== undefined) {
    if ((url ?? given) !== undefined) throw new UsageError('Give --profile or --server, not both.');
    return ofProfile(io, named);
  }
  if (url === undefined) {
    if (given !== undefined) throw new UsageError('--secret-file belongs to --server.');
    return undefined;
  }
  if (given !== undefined) return readable(io, { url, secretFile: resolve(given) });
  const { profiles } = readProfiles(io);
  const [found] = Object.keys(profiles).filter((name) => profiles[name]?.url === url);
  if (found !== undefined) return ofProfile(io, found);
  throw new UsageError('--server needs --secret-file: the file with the secret of the agent.');
}

function ofProfile(io: Given['io'], name: string): ServerSettings {
  const { url, secret_file: secretFile } = profileNamed(readProfiles(io), name);
  if (secretFile === undefined) {
    throw new CommandError(`The profile ${name} names no file with the secret of an agent.`);
  }
  return readable(io, { url, secretFile });
}

function readable(io: Given['io'], settings: ServerSettings): ServerSettings {
  if (parsedUrl(settings.url) === undefined) {
    throw new UsageError('--server is the address of a server.');
  }
  try {
    accessSync(settings.secretFile, constants.R_OK);
  } catch {
    throw new CommandError(`${settings.secretFile} cannot be read. Name the file of the secret.`);
  }
  requirePrivate(io, settings.secretFile);
  return settings;
}
