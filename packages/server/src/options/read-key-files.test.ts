/** Key files reach the keep; errors name the file but not its content. */
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { InvalidOptionsError } from './invalid-options-error.js';
import { readKeyFiles } from './read-key-files.js';

const directory = mkdtempSync(join(tmpdir(), 'agentkeep-keys-'));
afterAll(() => rmSync(directory, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const privatePem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
const publicPem = publicKey.export({ format: 'pem', type: 'spki' }).toString();

test('reads the texts of the files', () => {
  const privateKeyFile = file('private.pem', privatePem);
  const additionalKeyFile = file('public.pem', publicPem);
  expect(readKeyFiles({ ttlSeconds: 61, privateKeyFile, additionalKeyFile })).toEqual({
    ttlSeconds: 61,
    privateKeyPem: privatePem,
    additionalKeyPem: publicPem,
  });
  expect(readKeyFiles({ issuer: 'a' })).toEqual({ issuer: 'a' });
});

test('refuses a file without a key and shows nothing of its content', () => {
  const read = (): unknown => readKeyFiles({ privateKeyFile: file('wrong.pem', 'hunter2') });
  expect(read).toThrow(InvalidOptionsError);
  expect(read).toThrow(/^jwt_private_key_file: .*wrong\.pem is refused\. .* RSA private key/);
  expect(read).not.toThrow(/hunter2/);
  const additionalKeyFile = file('other.pem', 'hunter2');
  expect(() => readKeyFiles({ additionalKeyFile })).toThrow(/^jwt_additional_key_file: /);
});

test('names all unreadable files together', () => {
  const [privateKeyFile, additionalKeyFile] = [join(directory, 'a'), join(directory, 'b')];
  expect(() => readKeyFiles({ privateKeyFile, additionalKeyFile })).toThrow(
    /jwt_private_key_file: .*a cannot be read .*\njwt_additional_key_file: .*b cannot be read/,
  );
});
