/**
 * The key of an agent in a file, instead of a secret: its private half, and the token that names
 * its credential once an administrator has issued one.
 */
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { ConnectOptions } from '@agentkeep/client';
import { InvalidOptionsError } from './invalid-options-error.js';

type Key = NonNullable<ConnectOptions['key']>;

/** What the file holds, as JSON. */
interface StoredKey {
  readonly token?: string;
  readonly private_key: Key['privateKey'];
}

const CREDENTIAL_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Returns the key of a file. Makes the file if there is none; writes into it which credential the
 * key has, if that is told.
 * @throws {InvalidOptionsError} with what to do next while the key has no credential.
 */
export function readAgentKey(file: string, credentialId: string | undefined): Key {
  const stored = existsSync(file) ? parsed(file) : written(file, { private_key: newKey() });
  const { token, private_key: privateKey } =
    credentialId === undefined
      ? stored
      : written(file, { ...stored, token: tokenOf(credentialId) });
  if (token === undefined) throw new InvalidOptionsError([withoutCredential(file, privateKey)]);
  return { token, privateKey };
}

function withoutCredential(file: string, key: Key['privateKey']): string {
  const { kty, crv, x, y } = key;
  return (
    `The key in ${file} has no credential yet. Let an administrator issue one:\n` +
    '  agentkeep credentials issue-key --subject-id <subject> --capabilities memory_read \\\n' +
    '    --capabilities memory_write --grants project_id=<id>,agent_id=<id>,visibility=private \\\n' +
    `    --public-key '${JSON.stringify({ kty, crv, x, y })}'\n` +
    'Then name its id once with --credential <id>.'
  );
}

/** P-256, because every runtime signs with it. */
function newKey(): Key['privateKey'] {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ format: 'jwk' });
}

/** Only its owner may read it. */
function written(file: string, key: StoredKey): StoredKey {
  writeFileSync(file, `${JSON.stringify(key)}\n`, { mode: 0o600 });
  return key;
}

function parsed(file: string): StoredKey {
  try {
    const key = JSON.parse(readFileSync(file, 'utf8')) as Partial<StoredKey> | null;
    if (typeof key?.private_key?.d === 'string') return { ...key, private_key: key.private_key };
  } catch {
    // No cause: it might show the key.
  }
  throw new InvalidOptionsError([`--key-file: ${file} holds no key that this command made.`]);
}

function tokenOf(credentialId: string): string {
  if (CREDENTIAL_ID.test(credentialId)) {
    return `akk1_${credentialId.toLowerCase().replaceAll('-', '')}`;
  }
  throw new InvalidOptionsError(['--credential must be the id of a credential.']);
}
