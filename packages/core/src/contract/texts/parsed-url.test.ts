/** What a URL is doesn't depend on how often it was asked. */
import { expect, test } from 'vitest';
import { isWebUrl } from '../schema/web-url.js';
import { parsedUrl } from './parsed-url.js';

test('a text is a URL, against its base, or none', () => {
  expect(parsedUrl('HTTPS://Hooks.Example:443')?.href).toBe('https://hooks.example/');
  expect(parsedUrl('/b?c', 'https://hooks.example/a')?.href).toBe('https://hooks.example/b?c');
  for (const text of ['', '/b', 'hooks.example']) expect(parsedUrl(text)).toBeUndefined();
});

test('an address with Latin letters beyond ASCII stays one once the engine compiled the rule', () => {
  let refused = 0;
  for (let asked = 0; asked < 100_000; asked += 1) {
    refused += Number(!isWebUrl('https://hooks.bücher.example/'));
  }
  expect(refused).toBe(0);
});
