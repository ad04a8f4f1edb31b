/** `better-sqlite3` as a contender, as one would write it: WAL, `synchronous=FULL`, one table. */
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Contender, ContenderKind, SampleRecord } from './contender.js';
import { importPeer } from './peers.js';

const IMPORT_TRANSACTION = 512;
const FOUND = 20;

interface Statement {
  run(...values: unknown[]): unknown;
  get(...values: unknown[]): unknown;
  all(...values: unknown[]): unknown[];
}

interface Database {
  pragma(text: string): unknown;
  exec(text: string): unknown;
  prepare(text: string): Statement;
  transaction<A extends unknown[]>(work: (...values: A) => void): (...values: A) => void;
  close(): void;
}

/** Opens a database. Its result has the part of the interface that the comparison uses. */
export async function openSqlite(file: string): Promise<Database> {
  const { default: Sqlite } = await importPeer<{ default: new (file: string) => Database }>(
    'better-sqlite3',
  );
  const database = new Sqlite(file);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  return database;
}

const TABLES = `
  CREATE TABLE memory (id INTEGER PRIMARY KEY, scope TEXT, text TEXT, tag TEXT, turn INTEGER);
  CREATE INDEX memory_tag ON memory (scope, tag);
  CREATE TABLE keys (digest BLOB PRIMARY KEY, subject TEXT) WITHOUT ROWID;`;

const TRIGRAMS = `
  CREATE VIRTUAL TABLE found USING fts5 (text, content='memory', content_rowid='id', tokenize='trigram');
  CREATE TRIGGER memory_found AFTER INSERT ON memory BEGIN
    INSERT INTO found (rowid, text) VALUES (new.id, new.text);
  END;`;

const BY_SUBSTRING = `SELECT * FROM memory WHERE scope = ? AND instr(lower(text), ?) LIMIT ${FOUND}`;
const BY_TRIGRAMS = `SELECT memory.* FROM found JOIN memory ON memory.id = found.rowid
  WHERE memory.scope = ? AND found.text MATCH ? LIMIT ${FOUND}`;

/** SQLite with a scan for words. Over HTTP, bare `node:http`. */
export const sqlite = kindOf('SQLite', false);

/** SQLite with its full-text index over trigrams. */
export const sqliteTrigrams = kindOf('SQLite, FTS5 trigrams', true);

function kindOf(title: string, hasTrigrams: boolean): ContenderKind {
  return {
    title,
    isDurable: true,
    http: {
      store: { path: '/', body: (record) => JSON.stringify(record) },
      find: { path: '/', body: (word) => JSON.stringify({ word }) },
    },
    open: async (directory) => {
      const database = await openSqlite(join(directory, 'memory.db'));
      database.exec(hasTrigrams ? TABLES + TRIGRAMS : TABLES);
      return contenderOver(database, hasTrigrams);
    },
    readFirst: async (directory) => {
      const database = await openSqlite(join(directory, 'memory.db'));
      const found = database.prepare('SELECT * FROM memory WHERE id = ?').get(1);
      database.close();
      return found;
    },
  };
}

function contenderOver(database: Database, hasTrigrams: boolean): Contender {
  const insert = database.prepare(
    'INSERT INTO memory (scope, text, tag, turn) VALUES (?, ?, ?, ?)',
  );
  const byId = database.prepare('SELECT * FROM memory WHERE id = ?');
  const byWord = database.prepare(hasTrigrams ? BY_TRIGRAMS : BY_SUBSTRING);
  const byTag = database.prepare(`SELECT * FROM memory WHERE scope = ? AND tag = ? LIMIT ${FOUND}`);
  const byDigest = database.prepare('SELECT subject FROM keys WHERE digest = ?');
  const key = randomBytes(32).toString('base64url');
  database.prepare('INSERT INTO keys VALUES (?, ?)').run(digestOf(key), 'writer');
  const store = ({ text, tag, turn }: SampleRecord): unknown =>
    insert.run('bench', text, tag, turn);
  const storeAll = database.transaction((records: readonly SampleRecord[]) => {
    for (const record of records) store(record);
  });
  const find = (word: string): unknown[] => byWord.all('bench', hasTrigrams ? `"${word}"` : word);
  const checkKey = (text: string): unknown => byDigest.get(digestOf(text));
  let stop = (): void => undefined;
  const settled = <T>(work: () => T): Promise<T> => Promise.resolve().then(work);
  return {
    import: (records) =>
      settled(() => {
        for (let at = 0; at < records.length; at += IMPORT_TRANSACTION) {
          storeAll(records.slice(at, at + IMPORT_TRANSACTION));
        }
      }),
    store: (record) =>
      settled(() => {
        store(record);
      }),
    read: (index) => settled(() => byId.get(index + 1)),
    find: (word) => settled(() => find(word).length),
    findTag: (tag) => settled(() => byTag.all('bench', tag).length),
    checkKey: () => settled(() => checkKey(key)),
    serve: async () => {
      const server = createServer((request, response) => {
        const isKnown = checkKey(request.headers.authorization ?? '') !== undefined;
        void bodyOf(request).then((body) => {
          const answer = 'word' in body ? find(body.word) : store(body);
          const text = JSON.stringify(isKnown ? answer : {});
          const headers = {
            'Content-Type': 'application/json',
            'Content-Length': Buffer.byteLength(text),
          };
          response.writeHead(isKnown ? 200 : 401, headers).end(text);
        });
      });
      // A scan holds the loop for so long that waiting connections would seem idle.
      server.keepAliveTimeout = 600_000;
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      stop = () => {
        server.closeAllConnections();
        server.close();
      };
      return {
        port: (server.address() as AddressInfo).port,
        headers: { Authorization: key, 'Content-Type': 'application/json' },
      };
    },
    close: () =>
      settled(() => {
        stop();
        database.close();
      }),
  };
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

async function bodyOf(request: IncomingMessage): Promise<SampleRecord | { word: string }> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as SampleRecord | { word: string };
}
