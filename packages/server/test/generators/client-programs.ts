/**
 * Programs over generated clients. Each keeps a record, reads it, finds it, and returns what it
 * saw. They are compiled as they stand here, without the members that have defaults.
 */

/** Over the types of openapi-typescript, with openapi-fetch. */
export const openapiFetchProgram = `
import createClient from 'openapi-fetch';
import type { paths } from './schema.js';

export async function run(baseUrl: string, secret: string): Promise<readonly string[]> {
  const headers = { Authorization: \`Bearer \${secret}\` };
  const { GET, POST } = createClient<paths>({ baseUrl, headers });
  const scope = { project_id: 'p', agent_id: 'a', visibility: 'private' } as const;
  const health = await GET('/health');
  const put = await POST('/api/v1/memory/commands', {
    body: {
      contract_version: 1,
      idempotency_key: 'one',
      scope,
      operation: {
        type: 'put',
        name: 'tea',
        record: { episode_type: 'Observation', content: { primary: 'Green tea.' }, event_time_millis: 0 },
      },
    },
  });
  if (put.data === undefined) throw new Error(JSON.stringify(put.error));
  const query = { contract_version: 1, ...scope } as const;
  const { record_id: id } = put.data.receipt;
  const read = await GET('/api/v1/memory/records/{id}', { params: { path: { id }, query } });
  const found = await POST('/api/v1/memory/search', {
    body: { contract_version: 1, scopes: [scope], filter: { words: { text: 'green' } } },
  });
  const texts = found.data?.page.matches.map(({ record }) => record.payload.content.primary) ?? [];
  return [health.data?.status ?? '', read.data?.record.payload.content.primary ?? '', ...texts];
}
`;

/** Over the client of Hey API. */
export const heyApiProgram = `
import { executeMemoryCommand, getHealth, readMemoryRecord, searchMemory } from './hey-api';
import { createClient } from './hey-api/client';

export async function run(baseUrl: string, secret: string): Promise<readonly string[]> {
  const client = createClient({
    baseUrl,
    auth: ({ type }) => (type === 'http' ? secret : undefined),
  });
  const scope = { project_id: 'p', agent_id: 'a', visibility: 'private' } as const;
  const health = await getHealth({ client, throwOnError: true });
  const put = await executeMemoryCommand({
    client,
    throwOnError: true,
    body: {
      contract_version: 1,
      idempotency_key: 'one',
      scope,
      operation: {
        type: 'put',
        name: 'tea',
        record: { episode_type: 'Observation', content: { primary: 'Green tea.' }, event_time_millis: 0 },
      },
    },
  });
  const { record_id: id } = put.data.receipt;
  const query = { contract_version: 1, ...scope } as const;
  const read = await readMemoryRecord({ client, throwOnError: true, path: { id }, query });
  const found = await searchMemory({
    client,
    throwOnError: true,
    body: { contract_version: 1, scopes: [scope], filter: { words: { text: 'green' } } },
  });
  const texts = found.data.page.matches.map(({ record }) => record.payload.content.primary);
  return [health.data.status, read.data.record.payload.content.primary, ...texts];
}
`;
