/**
 * Starts one PostgreSQL server for all tests of the project, or says that there is none.
 * @module
 */
import type { TestProject } from 'vitest/node';
import { findPostgres, PostgresServer } from './postgres-server.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the database for tests is. */
    readonly postgresUrl: string;
  }
}

/** Starts the server; what it returns stops it. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | void> {
  const bin = findPostgres();
  if (bin === undefined) throw new Error(NO_SERVER);
  const server = await PostgresServer.start(bin);
  project.provide('postgresUrl', server.url);
  return () => server.stop();
}

const NO_SERVER =
  'The tests of the store on PostgreSQL did NOT run: there is no PostgreSQL 15 or later here.';
