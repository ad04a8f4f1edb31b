/** Which addresses webhooks may have, and the form in which they are stored. */
import fc from 'fast-check';
import { describe, expect, inject, test } from 'vitest';
import { asciiUrl, isWebUrl } from './web-url.js';

/** An http or https URI of RFC 3986 without user and fragment. */
const URI =
  /^https?:\/\/(?:\[[\da-f:]+\]|(?:[\w\-.~!$&'()*+,;=]|%[\dA-F]{2})+)(?::\d+)?\/(?:[\w\-.~!$&'()*+,;=:/?]|%[\da-f]{2})*$/iu;

test.each([
  ['https://hooks.example.com/in?key=1', 'https://hooks.example.com/in?key=1'],
  ['https://hooks.example.com', 'https://hooks.example.com/'],
  ['HTTPS://Hooks.Example.com:443/A', 'https://hooks.example.com/A'],
  [
    'https://bücher.example/straße?q=日本',
    'https://xn--bcher-kva.example/stra%C3%9Fe?q=%E6%97%A5%E6%9C%AC',
  ],
  [
    'https://hooks.example.com/@me?{a}=[b]|100%',
    'https://hooks.example.com/%40me?%7Ba%7D=%5Bb%5D%7C100%25',
  ],
  ['https://hooks.example.com/%c3%9f', 'https://hooks.example.com/%c3%9f'],
  ['http://[FD00::1]:8080/', 'http://[fd00::1]:8080/'],
])('%s is stored as %s', (text, stored) => {
  expect(isWebUrl(text)).toBe(true);
  expect(asciiUrl(text)).toBe(stored);
});

const nasty = fc.constantFrom(
  '{{7*7}}',
  '\u200B',
  '🙂',
  '<script>',
  '%00',
  '%',
  '"',
  '\\',
  '^',
  '[',
  ']',
  '|',
  '@',
  'İi',
);
const part = fc.array(fc.oneof(nasty, fc.string({ unit: 'grapheme' })), { maxLength: 4 });

describe('the stored form', () => {
  test('is a URI, is accepted again, and stays as it is', () => {
    const url = fc
      .tuple(fc.constantFrom('https://', 'http:', 'HTTP:\\\\'), part, part)
      .map(([scheme, host, path]) => `${scheme}a${host.join('')}.example/${path.join('')}`)
      .filter(isWebUrl);
    const examples: [string][] = [['https://a{b"`.example/?\u{1F642}']];
    const property = fc.property(url, (text) => {
      const stored = asciiUrl(text);
      expect([URI.test(stored), isWebUrl(stored), asciiUrl(stored)]).toEqual([true, true, stored]);
      expect(new URL(stored).hostname).toBe(new URL(text).hostname);
    });
    fc.assert(property, { seed: inject('seed'), examples });
  });

  test('is bounded as the text that was sent is', () => {
    const long = `https://hooks.example.com/${'ä'.repeat(330)}`;
    expect([isWebUrl(long), isWebUrl(long + 'a'.repeat(100))]).toEqual([true, false]);
  });
});
