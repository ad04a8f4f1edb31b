/** The output of `--print-config`: the effective options of a command. */
import { loggable } from '../log/loggable.js';
import { adminPasswordVariables, readAdminPassword } from '../options/admin-password.js';
import { optionTable } from '../options/option-table.js';
import { explainOptions, type OptionSources } from '../options/read-options.js';
import type { Command } from './command.js';

/** A value and where it comes from. */
interface ShownOption {
  readonly value: unknown;
  readonly from: string;
}

/**
 * Returns one JSON document. Passwords and texts that look like secrets are redacted.
 * @throws {InvalidOptionsError} when an option is invalid.
 */
export function configText(
  { name: command, options, readsAdminPassword = false }: Command,
  sources: OptionSources,
): string {
  const effective = explainOptions(sources).filter(({ name }) => options.includes(name));
  const shown = effective.map(({ name, value, origin }): [string, ShownOption] => {
    const isLeftOpen = value === undefined;
    const from = isLeftOpen ? `default: ${optionTable[name].byDefault}` : origin;
    return [name, { value: isLeftOpen ? null : value, from }];
  });
  if (readsAdminPassword) shown.push(['admin_password', passwordOf(sources.environment ?? {})]);
  const document = { command, options: Object.fromEntries(shown) as unknown };
  return `${JSON.stringify(loggable(document), undefined, 2)}\n`;
}

function passwordOf(environment: Readonly<Partial<Record<string, string>>>): ShownOption {
  // Called for its checks: an unusable password is reported here too.
  if (readAdminPassword(environment) === undefined) {
    return { value: null, from: 'default: generated' };
  }
  const from = adminPasswordVariables.find((variable) => environment[variable] !== undefined);
  return { value: '[redacted]', from: from ?? '' };
}
