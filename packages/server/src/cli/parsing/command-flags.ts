/** All flags of a command: its own, its options of the service, and shared ones. */
import {
  fileFlagOf,
  flagOf,
  type OptionName,
  optionTable,
  secrecyOf,
} from '../../options/option-table.js';
import {
  type ClientCommand,
  type Command,
  isServiceCommand,
  type OwnFlag,
  type ServiceCommand,
} from '../command/command.js';

/** Prints the options of a service command instead of running it. */
export const PRINT_CONFIG = 'print-config';

const CONFIG_FLAGS: readonly OwnFlag[] = [
  {
    name: 'config',
    placeholder: '<file>',
    summary: 'JSON configuration file, for example {"port": 8080}.',
  },
  {
    name: PRINT_CONFIG,
    summary: 'Print the effective options and where each one comes from.',
  },
];

const SERVER_FLAGS: readonly OwnFlag[] = [
  {
    name: 'profile',
    placeholder: '<name>',
    summary: 'Profile with the server and the secret. Default: see `agentkeep profiles`.',
  },
  { name: 'url', placeholder: '<url>', summary: 'URL of the server, instead of a profile.' },
  {
    name: 'secret-file',
    placeholder: '<file>',
    summary: 'File with the secret, instead of a profile.',
  },
];

const JSON_FLAG: OwnFlag = { name: 'json', summary: 'Print JSON lines.' };

/** Returns the flags of a command, in the order of its help. */
export function flagsOf(command: Command): readonly OwnFlag[] {
  const own = command.ownFlags ?? [];
  const shared = isServiceCommand(command) ? serviceFlags(command) : clientFlags(command);
  return [...own, ...shared, ...(command.hasJson === true ? [JSON_FLAG] : [])];
}

function clientFlags({ isCall }: ClientCommand): readonly OwnFlag[] {
  return isCall ? SERVER_FLAGS : [];
}

function serviceFlags({ options }: ServiceCommand): readonly OwnFlag[] {
  return [...options.flatMap(flagsOfOption), ...CONFIG_FLAGS];
}

function flagsOfOption(name: OptionName): OwnFlag[] {
  const { placeholder, summary, byDefault } = optionTable[name];
  const own: OwnFlag = {
    name: flagOf(name),
    placeholder,
    summary: `${summary} Default: ${byDefault}.`,
  };
  if (secrecyOf(name) === undefined) return [own];
  const file: OwnFlag = {
    name: fileFlagOf(name),
    placeholder: '<file>',
    summary: `File with ${name}, which keeps it secret.`,
  };
  return [own, file];
}
