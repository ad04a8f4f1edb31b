/** Formats a request as a command that repeats it. */
import type { WireRequest } from './draft.js';

/** Returns the command, for a server at its default address. */
export function curlOf({ method, target, headers, body, raw }: WireRequest): string {
  if (raw !== undefined) return `printf '%b' ${quoted(escapes(raw))} | nc 127.0.0.1 7474`;
  const words = [
    `curl --path-as-is -X ${method}`,
    `http://127.0.0.1:7474${target}`,
    ...headers.flatMap(([name, value]) => ['-H', value === '' ? `${name};` : `${name}: ${value}`]),
  ];
  const [command = '', ...rest] = words;
  const shown = [command, ...rest.map((word) => (word === '-H' ? word : quoted(word)))].join(' ');
  if (body === undefined) return shown;
  return `printf '%b' ${quoted(escapes(body))} | ${shown} --data-binary @-`;
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** Escapes bytes for `printf %b`. */
function escapes(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) =>
    byte >= 0x20 && byte < 0x7f && byte !== 0x5c
      ? String.fromCharCode(byte)
      : `\\0${byte.toString(8).padStart(3, '0')}`,
  ).join('');
}
