/**
 * What `--print-config` shows: the options of a command as they take effect.
 * @module
 */
import { loggable } from '../log/loggable.js';
import { optionTable } from '../options/option-table.js';
import { explainOptions, type OptionSources } from '../options/read-options.js';
import type { Command } from './command.js';

/**
 * One JSON document. No option holds a secret, those of files name the file; what looks like one all
 * the same is not shown.
 * @throws {InvalidOptionsError} when an option cannot be used.
 */
export function configText({ name: command, options }: Command, sources: OptionSources): string {
  const effective = explainOptions(sources).filter(({ name }) => options.includes(name));
  const shown = effective.map(({ name, value, origin }) => {
    const isLeftOpen = value === undefined;
    const from = isLeftOpen ? `default: ${optionTable[name].byDefault}` : origin;
    return [name, { value: isLeftOpen ? null : value, from }];
  });
  const document = { command, options: Object.fromEntries(shown) as unknown };
  return `${JSON.stringify(loggable(document), undefined, 2)}\n`;
}
