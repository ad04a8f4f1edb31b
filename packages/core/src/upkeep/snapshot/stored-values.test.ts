/** The bytes of stored values do not change, so that later releases can read them. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { samples } from '../../../test/stored-values/samples.js';
import { families, type FamilyName } from '../../domains.js';

/** Written by the code that introduced each layout. A changed line is a changed layout. */
const golden = new URL('../../../test/stored-values/golden.txt', import.meta.url);
const lines = readFileSync(golden, 'utf8').trimEnd().split('\n');

/** Returns layout version, content and checksum as text, with content other than JSON in hex. */
function spelled(sealed: Uint8Array): string {
  const bytes = Buffer.from(sealed);
  const content = bytes.subarray(1, -4);
  const shown =
    content[0] === '['.charCodeAt(0) ? content.toString('utf8') : content.toString('hex');
  return `v${String(bytes[0])} ${shown} ${bytes.subarray(-4).toString('hex')}`;
}

test.each(families.names)('values of %s are stored in the same bytes as before', (name) => {
  const expected = lines.filter((line) => line.startsWith(`${name} `));
  expect(samples[name as FamilyName].map(({ sealed }) => `${name} ${spelled(sealed)}`)).toEqual(
    expected,
  );
});

/** These are read as something else, for which other tests ask. */
const translated = ['memoryScan', 'auditBlocks', 'memoryRecords', 'memoryRevisions'];

test.each(families.names.filter((name) => !translated.includes(name)))(
  'values of %s are read as they were written',
  (name) => {
    for (const { written, read } of samples[name as FamilyName])
      expect(read).toStrictEqual(written);
  },
);
