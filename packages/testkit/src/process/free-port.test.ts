/** Ports for servers of tests. */
import { expect, test } from 'vitest';
import { freePort } from './free-port.js';

test('each port is another one, and none that systems give to connections', async () => {
  const ports = new Set<number>();
  for (let turn = 0; turn < 200; turn += 1) ports.add(await freePort());
  expect(ports.size).toBe(200);
  expect(Math.max(...ports)).toBeLessThan(32_768);
});
