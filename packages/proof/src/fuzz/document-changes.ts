/**
 * Changes that make a document slightly wrong, as data: a missing or extra member, a bound exceeded
 * by one.
 */
import type { Chooser } from './chooser.js';
import type { Site } from './document-sites.js';
import { isObject, type Json, type JsonObject, membersText, Verbatim } from './json-text.js';
import { NASTY_TEXTS, textOfBytes } from './texts.js';

/** A change of a document in one place. */
export interface DocumentChange {
  readonly name: string;
  /** Returns whether the change applies at a place. */
  fits(site: Site): boolean;
  apply(site: Site, chooser: Chooser): void;
}

function put({ parent, key }: Site, value: Json): void {
  if (Array.isArray(parent)) parent[Number(key)] = value;
  else parent[key] = value;
}

/** Returns a change that replaces a value. */
function replacing(
  name: string,
  fits: DocumentChange['fits'],
  valueFor: (site: Site, chooser: Chooser) => Json,
): DocumentChange {
  return { name, fits, apply: (site, chooser) => put(site, valueFor(site, chooser)) };
}

const always = (): boolean => true;
const isMember = ({ parent, key }: Site): boolean => !Array.isArray(parent) && key !== 'document';
const isText = ({ value }: Site): boolean => typeof value === 'string';
const isNumber = ({ value }: Site): boolean => typeof value === 'number';
const isList = ({ value }: Site): boolean => Array.isArray(value);
const isWhole = ({ value }: Site): boolean => isObject(value);
const membersOf = ({ value }: Site): JsonObject => (isObject(value) ? value : {});
const itemsOf = ({ value }: Site): Json[] => (Array.isArray(value) ? value : []);
const withText = ({ value }: Site, change: (text: string) => string): string =>
  change(typeof value === 'string' ? value : '');

const OTHER_TYPES = ['null', 'true', '0', '""', '"x"', '[]', '{}', '[[]]', '[{}]', '"1"', '1.5'];
const ofOtherType = (chooser: Chooser): Json => new Verbatim(chooser.pick(OTHER_TYPES));
const NUMBERS = [
  ...['1e400', '-1e400', '9007199254740991', '9007199254740992', '9007199254740993', '-0', '1.0'],
  ...['1e0', '10e-1', '1.5', '-1', '0', '4294967296', '2147483648', '1e-400', '5e-324', '01', '+1'],
  ...['.5', '1.', '0x10', 'NaN', 'Infinity', '1_000', '"1"', '1'.repeat(400)],
];
const UUID_FORMS: readonly ((uuid: string) => string)[] = [
  (uuid) => uuid.toUpperCase(),
  (uuid) => uuid.replaceAll('-', ''),
  (uuid) => `{${uuid}}`,
  (uuid) => `urn:uuid:${uuid}`,
  (uuid) => `${uuid}\n`,
  (uuid) => uuid.slice(0, -1),
  (uuid) => `${uuid}0`,
  () => '00000000-0000-0000-0000-000000000000',
];

/** The changes. */
export const documentChanges: readonly DocumentChange[] = [
  {
    name: 'a member is missing',
    fits: isMember,
    apply: ({ parent, key }) => void Reflect.deleteProperty(parent, key),
  },
  replacing('null', always, () => null),
  replacing('another type', always, (_site, chooser) => ofOtherType(chooser)),
  replacing('an unknown member', isWhole, (site) => ({ ...membersOf(site), unknown_member: 1 })),
  replacing('a member of the tenant', isWhole, (site) => ({
    ...membersOf(site),
    tenant_id: 'beta',
  })),
  replacing('a duplicate member', isWhole, (site) => {
    const text = membersText(membersOf(site));
    return new Verbatim(`{${text}${text === '' ? '' : ','}${text}}`);
  }),
  replacing('__proto__', isWhole, (site) => {
    const text = membersText(membersOf(site));
    return new Verbatim(`{${text}${text === '' ? '' : ','}"__proto__":{"is_master":true}}`);
  }),
  replacing('a strange number', isNumber, (_site, chooser) => new Verbatim(chooser.pick(NUMBERS))),
  replacing(
    'one below the least',
    ({ schema }) => schema.minimum !== undefined || schema.exclusiveMinimum !== undefined,
    ({ schema }) => schema.exclusiveMinimum ?? (schema.minimum ?? 0) - 1,
  ),
  replacing(
    'one above the most',
    ({ schema }) => schema.maximum !== undefined || schema.exclusiveMaximum !== undefined,
    ({ schema }) =>
      new Verbatim(
        schema.maximum === undefined
          ? String(schema.exclusiveMaximum)
          : (BigInt(schema.maximum) + 1n).toString(),
      ),
  ),
  replacing(
    'a bound itself',
    ({ schema }) => schema.maximum !== undefined,
    ({ schema }, chooser) => chooser.pick([schema.minimum ?? 0, schema.maximum ?? 0]),
  ),
  replacing('one byte too long', hasMaxLength, ({ schema }) =>
    textOfBytes((schema.maxLength ?? 0) + 1),
  ),
  replacing('as long as can be', hasMaxLength, ({ schema }) => textOfBytes(schema.maxLength ?? 0)),
  replacing('a nasty text', isText, (_site, chooser) => chooser.pick(NASTY_TEXTS)),
  replacing('a nasty text inside', isText, (site, chooser) =>
    withText(site, (text) => `${text}${chooser.pick(NASTY_TEXTS)}x`),
  ),
  replacing('an escaped text', isText, (site) => new Verbatim(`"${withText(site, escaped)}"`)),
  replacing('another letter case', isText, (site) => withText(site, (text) => text.toUpperCase())),
  replacing('one character less', isText, (site) => withText(site, (text) => text.slice(0, -1))),
  replacing(
    'another form of UUID',
    ({ schema }) => schema.format === 'uuid',
    (site, chooser) => withText(site, chooser.pick(UUID_FORMS)),
  ),
  replacing(
    'one item too many',
    ({ schema, value }) => (schema.maxItems ?? 1_000) < 300 && Array.isArray(value),
    (site, chooser) => {
      const [first = 'x'] = itemsOf(site);
      const length = (site.schema.maxItems ?? 0) + 1;
      return Array.from({ length }, () =>
        typeof first === 'string' ? chooser.hex(8) : structuredClone(first),
      );
    },
  ),
  replacing('no items', isList, () => []),
  replacing('an item twice', isList, (site) => [...itemsOf(site), ...itemsOf(site)]),
  replacing('a list in a list', isList, (site) => [itemsOf(site)]),
  replacing('an item that does not belong', isList, (site, chooser) => [
    ...itemsOf(site),
    ofOtherType(chooser),
  ]),
  replacing(
    'another version',
    ({ key }) => key === 'contract_version',
    (_site, chooser) =>
      new Verbatim(chooser.pick(['0', '2', '99', '4294967296', '-1', '1.5', '"1"', '1.0', 'null'])),
  ),
  replacing(
    'an unknown choice',
    ({ schema }) => schema.enum !== undefined,
    (site) => withText(site, (text) => `${text.toLowerCase()} `),
  ),
];

function hasMaxLength({ schema: { maxLength } }: Site): boolean {
  return maxLength !== undefined && maxLength < 60_000;
}

/** Returns the same text, written with escapes. */
function escaped(text: string): string {
  return Array.from(
    { length: text.length },
    (_unused, index) => `\\u${text.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
}
