/** The tables that the server exports cannot be changed by the program around it. */
import { expect, test } from 'vitest';
import * as server from '../src/index.js';

const tables = Object.entries(server).filter(([, value]) => typeof value === 'object');

test.each(tables)('%s cannot be changed, at any depth', (_name, table) => {
  const open: string[] = [];
  const visit = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    if (!Object.isFrozen(value)) open.push(path);
    else for (const [name, each] of Object.entries(value)) visit(each, `${path}.${name}`);
  };
  visit(table, '');
  expect(open).toEqual([]);
});
