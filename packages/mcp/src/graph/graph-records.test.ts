/** How items of the graph are named and cut. */
import { expect, test } from 'vitest';
import { entityName, entityRecord } from './graph-records.js';

test('a long name has a digest, and the name that an import once gave it', async () => {
  expect(await entityName('Ann')).toEqual(['graph/entity/Ann']);
  const [digested, imported] = await entityName('名'.repeat(50));
  expect(digested).toMatch(/^graph\/entity-digest\/[\da-f]{64}$/);
  expect(imported).toBe(`graph/entity/${'%E5%90%8D'.repeat(50)}`);
  expect(await entityName('名'.repeat(60))).toHaveLength(1);
});

test('the searched text of observations ends at a whole character', () => {
  const observations = [`${'x'.repeat(8_191)}😀 end`];
  const { content } = entityRecord({ name: 'Diary', entityType: 'x', observations });
  expect(content.context).toBe('x'.repeat(8_191));
});
