/** Serves an embedded agent over standard input. Arguments: a profile, and a scope as JSON. */
import { inMemoryStore, openKeep } from '@agentkeep/core';
import { agentFor } from '@agentkeep/core/operator';
import { serveMcpStdio } from '@agentkeep/mcp/stdio';

const [profile, text] = process.argv.slice(2);
const scope = JSON.parse(text);
const keep = await openKeep({ store: inMemoryStore() });
const agent = await agentFor(keep, { tenantId: 'acme', subjectId: 'helper', scopes: [scope] });
await serveMcpStdio({ agent, profile, scope }).closed;
await keep.close();
