/** The page of options: the spellings of each, its values and its default. */
import type { OptionDefinition } from '../../packages/server/src/options/option-definition.ts';
import {
  fileFlagOf,
  fileMemberOf,
  fileVariableOf,
  flagOf,
  type OptionName,
  optionNames,
  optionTable,
  secrecyOf,
  variableOf,
} from '../../packages/server/src/options/option-table.ts';
import { code, page, type ReferencePage, table } from './page.ts';

const introduction =
  'An option is given as a flag, as an environment variable, or as a member of the JSON file ' +
  'that `--config <file>` names. A flag overrides a variable, a variable the file. An unknown ' +
  'option or an invalid value stops the start, with one line per problem.';

/** Returns how a file with an option is named, if the option may be a secret. */
function secretFile(name: OptionName): [string, string][] {
  if (secrecyOf(name) === undefined) return [];
  const spellings = [`--${fileFlagOf(name)} <file>`, fileVariableOf(name), fileMemberOf(name)];
  return [['From a file', spellings.map(code).join(', ')]];
}

/** Returns the page of options. */
export function optionsPage(): ReferencePage {
  const sections = optionNames.map((name) => {
    const option: OptionDefinition = optionTable[name];
    const { summary, allowed, byDefault, placeholder } = option;
    const alias = option.alias === undefined ? '' : `, also ${code(option.alias)}`;
    const facts = table(
      ['', ''],
      [
        ['Flag', code(`--${flagOf(name)} ${placeholder}`)],
        ['Variable', code(variableOf(name))],
        ['In a file', code(name) + alias],
        ...secretFile(name),
        ['Values', allowed],
        ['Default', byDefault],
      ],
    );
    return `## ${name}\n\n${summary}\n\n${facts}`;
  });
  const source = '`options/option-table.ts`';
  return page('options.md', 'Options of the server', source, [introduction, ...sections]);
}
