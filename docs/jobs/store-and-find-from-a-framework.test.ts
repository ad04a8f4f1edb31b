/** The table of `store-and-find-from-a-framework.md`, whose lines the guides run. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { blocksOf } from '../../scripts/docs/page-blocks.js';

const read = (path: string): string => readFileSync(join(import.meta.dirname, path), 'utf8');

const rows = Array.from(
  read('store-and-find-from-a-framework.md').matchAll(
    /^\| \[(?<framework>[^\]]+)\]\((?<guide>[^)]+)\)[^|]*\|[^`|]*`(?<line>[^`]+)`/gmu,
  ),
  ({ groups }) => [groups!['framework']!, groups!['guide']!, groups!['line']!] as const,
);

test('the table has each framework', () => {
  const frameworks = rows.map(([framework]) => framework);
  expect(frameworks).toEqual(['LangGraph', 'AI SDK', 'OpenAI Agents', 'Anthropic', 'MCP']);
});

test.each(rows)('the code of the guide has the line for %s', (_framework, guide, line) => {
  const code = blocksOf(read(guide)).map(({ text }) => text);
  expect(code.join('\n')).toContain(line);
});
