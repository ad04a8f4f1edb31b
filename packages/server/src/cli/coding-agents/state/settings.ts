/** The choice of a person: a server with the file of its secret, or a store of this machine. */
import { readFileSync } from 'node:fs';
import { readObject, replaceFile } from './private-json.js';

/** Where memory is. */
export type Choice =
  | { readonly kind: 'server'; readonly url: string; readonly secret: string }
  | { readonly kind: 'here' };

/** A server, and the file of its secret. The settings hold no secret. */
export interface ServerSettings {
  readonly url: string;
  readonly secretFile: string;
}

/** Returns the server of the settings; `undefined` for a store of this machine. */
export function readSettings(file: string): ServerSettings | undefined {
  const { url, secret_file: secretFile } = readObject(file) ?? {};
  return typeof url === 'string' && typeof secretFile === 'string'
    ? { url, secretFile }
    : undefined;
}

/** Returns where memory is, with the secret as it is now. */
export function chosenMemory(file: string): Choice {
  const server = readSettings(file);
  if (server === undefined) return { kind: 'here' };
  const secret = readFileSync(server.secretFile, 'utf8').trim();
  return { kind: 'server', url: server.url, secret };
}

/** Replaces the settings. */
export function writeSettings(file: string, server: ServerSettings | undefined): void {
  const all = server === undefined ? {} : { url: server.url, secret_file: server.secretFile };
  replaceFile(file, `${JSON.stringify(all, undefined, 2)}\n`);
}
