/** The progress bar on a terminal and on other streams. */
import { expect, test } from 'vitest';
import { progressBar } from '../src/progress-bar.js';

function screen(isTTY: boolean) {
  const written: string[] = [];
  return { isTTY, written, write: (text: string) => written.push(text) };
}

test('writes nothing to a pipe', () => {
  const pipe = screen(false);
  const bar = progressBar(pipe, { label: 'storing', total: 1 });
  bar.advance();
  bar.finish();
  expect(pipe.written).toEqual([]);
});

test('shows the share on a terminal at a limited rate, and clears the line at the end', () => {
  const terminal = screen(true);
  let atMs = 0;
  const bar = progressBar(terminal, { label: 'storing', total: 4, now: () => atMs });
  for (atMs = 10; atMs <= 40; atMs += 10) bar.advance();
  bar.finish();
  expect(terminal.written).toHaveLength(3);
  expect(terminal.written[0]).toContain('25 % 1/4 100/s');
  expect(terminal.written[1]).toContain('100 % 4/4 100/s');
  expect(terminal.written[2]).toBe('\r\u001B[K');
});
