/** The effective options of a command and their sources, without secrets. */
import { CONTRACT_VERSION } from '@agentkeep/core';
import { loggable, type Loggable } from '../../log/loggable.js';
import { adminPasswordVariables, readAdminPassword } from '../../options/admin-password.js';
import { optionTable, secrecyOf } from '../../options/option-table.js';
import { explainOptions, type OptionSources } from '../../options/read-options.js';
import type { ServiceCommand, Terminal } from '../command/command.js';
import { tableOf } from '../output/table.js';

/** A value and its source. */
interface ShownOption {
  readonly name: string;
  readonly value: unknown;
  readonly from: string;
}

const REDACTED = '[redacted]';

/**
 * Returns the output of `--print-config`: one JSON document.
 * @throws {InvalidOptionsError} when an option is invalid.
 */
export function configText(command: ServiceCommand, sources: OptionSources): string {
  const document = { command: command.name, options: membersOf(shownOptions(command, sources)) };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

/**
 * Returns the options as one JSON line, for programs.
 * @throws {InvalidOptionsError} when an option is invalid.
 */
export function configLine(command: ServiceCommand, sources: OptionSources): string {
  const options = membersOf(shownOptions(command, sources));
  return `${JSON.stringify({ contract_version: CONTRACT_VERSION, options })}\n`;
}

/**
 * Returns the options as a table, for people.
 * @throws {InvalidOptionsError} when an option is invalid.
 */
export function configTable(
  command: ServiceCommand,
  sources: OptionSources,
  terminal: Terminal | undefined,
): string {
  const rows = shownOptions(command, sources).map(({ name, value, from }) => [
    name,
    cellOf(value),
    from,
  ]);
  return tableOf(['OPTION', 'VALUE', 'FROM'], rows, { terminal });
}

/** Returns the options of a command. Secrets are redacted. */
function shownOptions(
  { options, readsAdminPassword = false }: ServiceCommand,
  sources: OptionSources,
): ShownOption[] {
  const effective = explainOptions(sources).filter(({ name }) => options.includes(name));
  const shown = effective.map(({ name, value, origin }): ShownOption => {
    if (value === undefined) {
      return { name, value: null, from: `default: ${optionTable[name].byDefault}` };
    }
    return { name, value: secrecyOf(name) === 'whole' ? REDACTED : value, from: origin };
  });
  if (readsAdminPassword) shown.push(passwordOf(sources.environment ?? {}));
  return shown;
}

function passwordOf(environment: Readonly<Partial<Record<string, string>>>): ShownOption {
  const name = 'admin_password';
  // Called for its checks: an unusable password is reported here too.
  if (readAdminPassword(environment) === undefined) {
    return { name, value: null, from: 'default: generated' };
  }
  const from = adminPasswordVariables.find((variable) => environment[variable] !== undefined);
  return { name, value: REDACTED, from: from ?? '' };
}

/** Redacts everything that looks like a secret in every text, such as the password of a URL. */
function membersOf(shown: readonly ShownOption[]): Loggable {
  const members = shown.map(({ name, value, from }): [string, unknown] => [name, { value, from }]);
  return loggable(Object.fromEntries(members));
}

function cellOf(value: unknown): string {
  const shown = loggable(value);
  if (shown === null) return '-';
  return Array.isArray(shown) ? shown.map(textOf).join(',') : textOf(shown);
}

function textOf(value: Loggable): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
