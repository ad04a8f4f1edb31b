/** The size limit includes the response around a page: 4 MiB fit, one more byte doesn't. */
import { expect, test } from 'vitest';
import { DIRECTORY_PAGE_BYTES_MAX } from '../../contract/limits.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import { directoryPage } from './page.js';

const itself = (row: string): string => row;
const pageOf = (rows: readonly string[]) => directoryPage(rows, 100, itself, () => 'x');
const sizeOf = (page: unknown): number =>
  Buffer.byteLength(JSON.stringify({ contract_version: CONTRACT_VERSION, page }));

test('the largest response has 4 MiB, counted in bytes, not characters', () => {
  const rows = ['é'.repeat(1_000_000), '"'.repeat(1_000)];
  const rest = DIRECTORY_PAGE_BYTES_MAX - sizeOf(pageOf([...rows, '']));
  const full = pageOf([...rows, 'a'.repeat(rest)]);
  expect(sizeOf(full)).toBe(DIRECTORY_PAGE_BYTES_MAX);
  expect(() => pageOf([...rows, 'a'.repeat(rest + 1)])).toThrow(
    expect.objectContaining({ code: 'page_too_large' }),
  );
});
