/** The API keys of `better-auth` as a contender, over SQLite. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { ContenderKind } from './contender.js';
import { importPeer } from './peers.js';
import { openSqlite } from './sqlite.js';

interface Auth {
  readonly options: object;
  readonly api: {
    signUpEmail(call: { body: object }): Promise<{ user: { id: string } }>;
    createApiKey(call: { body: object }): Promise<{ key: string }>;
    verifyApiKey(call: { body: { key: string } }): Promise<{ valid: boolean }>;
  };
}

export const betterAuth: ContenderKind = {
  title: 'better-auth API keys',
  isDurable: true,
  open: async (directory) => {
    const auth = await openAuth(directory);
    const person = { email: 'a@example.com', name: 'a', password: randomBytes(12).toString('hex') };
    const { user } = await auth.api.signUpEmail({ body: person });
    const { key } = await auth.api.createApiKey({ body: { userId: user.id, name: 'bench' } });
    return {
      checkKey: async () => {
        const { valid } = await auth.api.verifyApiKey({ body: { key } });
        if (!valid) throw new Error('The key was refused.');
      },
      close: () => Promise.resolve(),
    };
  },
};

async function openAuth(directory: string): Promise<Auth> {
  const library = await importPeer<{ betterAuth: (options: object) => Auth }>('better-auth');
  const { apiKey } = await importPeer<{ apiKey: (options: object) => object }>(
    '@better-auth/api-key',
  );
  const { getMigrations } = await importPeer<{
    getMigrations: (options: object) => Promise<{ runMigrations(): Promise<void> }>;
  }>('better-auth/db/migration');
  const auth = library.betterAuth({
    database: await openSqlite(join(directory, 'auth.db')),
    secret: randomBytes(32).toString('hex'),
    baseURL: 'http://localhost',
    emailAndPassword: { enabled: true },
    plugins: [apiKey({ rateLimit: { enabled: false } })],
    telemetry: { enabled: false },
    logger: { disabled: true },
  });
  const migrations = await getMigrations(auth.options);
  await migrations.runMigrations();
  return auth;
}
