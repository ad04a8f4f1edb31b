/**
 * Reads the files that hold the keys of access tokens.
 * @module
 */
import { readFileSync } from 'node:fs';
import { checkTokenOptions, type TokenOptions } from '@agentkeep/core';
import { InvalidOptionsError } from './invalid-options-error.js';
import type { TokenFileOptions } from './read-options.js';

/**
 * Options of access tokens with the texts of their keys.
 * @throws {InvalidOptionsError} when a file cannot be read or holds no key that can be used; it
 * shows nothing of what is in a file.
 */
export function readKeyFiles(options: TokenFileOptions): TokenOptions {
  const { privateKeyFile, additionalKeyFile, ...rest } = options;
  const problems: string[] = [];
  const read = (
    name: string,
    file: string,
    optionsWith: (pem: string) => TokenOptions,
  ): TokenOptions => {
    const made = optionsWith(textOf(name, file, problems));
    try {
      if (problems.length === 0) checkTokenOptions(made);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      problems.push(`${name}: ${file} is refused. ${error.message}`);
    }
    return made;
  };
  const keys = {
    ...(privateKeyFile === undefined
      ? {}
      : read('jwt_private_key_file', privateKeyFile, (pem) => ({ privateKeyPem: pem }))),
    ...(additionalKeyFile === undefined
      ? {}
      : read('jwt_additional_key_file', additionalKeyFile, (pem) => ({ additionalKeyPem: pem }))),
  };
  if (problems.length > 0) throw new InvalidOptionsError(problems);
  return { ...rest, ...keys };
}

function textOf(name: string, file: string, problems: string[]): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    problems.push(`${name}: ${file} cannot be read (${reason}).`);
    return '';
  }
}
