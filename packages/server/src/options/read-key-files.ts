/** Reads the key files of access tokens. */
import { readFileSync } from 'node:fs';
import type { TokenOptions } from '@agentkeep/core';
import { checkTokenOptions } from '@agentkeep/core/operator';
import { InvalidOptionsError } from './invalid-options-error.js';
import type { TokenFileOptions } from './read-options.js';

/**
 * Returns the options of access tokens with the content of their key files.
 * @throws {InvalidOptionsError} when a file cannot be read or holds no usable key; the message
 * shows nothing of the content of a file.
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
