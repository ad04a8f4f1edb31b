/** The page of families: every kind of stored entries, as its owner defines it. */
import { join } from 'node:path';
import type ts from 'typescript';
import { families } from '../../packages/core/src/domains.ts';
import type { Exported } from '../../packages/core/src/storage/store/family.ts';
import { readProject, root } from '../tidy-files.ts';
import { docstringsOf } from './docstrings.ts';
import { code, page, type ReferencePage, table } from './page.ts';

const introduction =
  'Every kind of stored entries. The key shows the parts behind the tenant; † marks families of ' +
  'the installation, whose tenant part is empty. [Stored data](../stored-data.md) explains keys ' +
  'and values. An export has `lines` of a family, or its entries `in lines` of another one. An ' +
  'erasure of their owner removes entries marked `removed` or `derived`, keeps keyed digests of ' +
  '`digested` ones, and replaces names by a `pseudonym`. Entries marked `expires` end by ' +
  'themselves; `kept` ones are about no scope and no subject.';

/** Returns the page of families. */
export function familiesPage(): ReferencePage {
  const meanings = meaningsOfFamilies();
  const rows = families.all.map(({ name, number, shape, facts }) => {
    const meaning = meanings.get(name);
    if (meaning === undefined) throw new Error(`The family ${name} has no docstring.`);
    const holds = meaning.replace(OF_INSTALLATION, '');
    const key = `${shape.join(', ')}${holds === meaning ? '' : ' †'}`.trim();
    return [
      String(number),
      code(name),
      key,
      sentence(holds),
      exportOf(facts.exported),
      facts.erased,
    ];
  });
  const head = ['Number', 'Family', 'Key', 'Holds', 'In an export', 'At an erasure'];
  const source = 'the families of the sources';
  return page('families.md', 'Families', source, [introduction, table(head, rows)]);
}

/** How the docstring begins of a family whose keys have no tenant. */
const OF_INSTALLATION = /^Installation: /u;

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function exportOf(exported: Exported): string {
  if (exported === 'derived') return 'no, derived';
  if ('not' in exported) return `no, ${exported.not}`;
  return 'line' in exported
    ? `lines ${code(exported.line)}`
    : `in lines of ${code(exported.partOf)}`;
}

/** Returns the docstrings of all families, by their names. */
function meaningsOfFamilies(): Map<string, string> {
  const paths = readProject()
    .filter(({ path, text }) => path.startsWith('packages/core/src/') && text.includes(' = define'))
    .map(({ path }) => join(root, path));
  return new Map(paths.flatMap((path) => [...docstringsOf(path, nameInDefinition)]));
}

/** Returns the `name` in the call that defines a constant, else an empty text. */
function nameInDefinition({ initializer }: ts.VariableDeclaration): string {
  return /\bname: '(?<name>\w+)'/u.exec(initializer?.getText() ?? '')?.groups?.['name'] ?? '';
}
