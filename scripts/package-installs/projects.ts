/** The projects that the packages are installed into: what a new user would write. */

/** A project: its files by name, and the commands that try it. */
export interface Project {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  /** Run in the folder of the project, with the tools of the workspace. */
  readonly commands: readonly (readonly ['node' | 'tsc' | 'esbuild', ...string[]])[];
  /** Whether it is tried after each package manager, not after npm only. */
  readonly isBrief?: boolean;
  /** Whether it gets ES modules by `require()` or flushes files, which plug'n'play cannot. */
  readonly needsFolders?: boolean;
  /** The first version of Node.js that runs it, if not every one that is supported. */
  readonly since?: readonly [major: number, minor: number];
}

/** Opens a keep, serves it, and calls it with the client. */
const imports = `import { AgentkeepError, connect } from '@agentkeep/client';
import { type Agent, inMemoryStore, openKeep, type ScopeInput } from '@agentkeep/core';
import { agentFor, bootstrapTenant } from '@agentkeep/core/operator';
import { createServer } from '@agentkeep/server';
import { connect as connectAgain } from '@agentkeep/server/client';
`;

const body = `const scope: ScopeInput = { project_id: 'p', agent_id: 'a', visibility: 'private' };
const keep = await openKeep({ store: inMemoryStore() });
const { secret } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
const fetch = createServer(keep).request;

// One line decides which of them it is.
let agent: Agent = await agentFor(keep, { tenantId: 'acme', subjectId: 's', scopes: [scope] });
const content = { primary: 'Tea.' };
const record = { episode_type: 'Observation' as const, content, event_time_millis: 0 };
const { revision } = await agent.memory.in(scope).put('drink', record);
agent = connect({ url: 'http://localhost', secret, fetch });
const { tenant_id: tenant } = await agent.whoAmI();
agent = connectAgain({ url: 'http://localhost', secret: 'wrong', fetch });
const code = await agent.whoAmI().catch((error: unknown) => {
  return error instanceof AgentkeepError ? error.code : String(error);
});
const { status } = await fetch('/docs/swagger-ui-bundle.js');
await keep.close();
if (revision !== 1 || tenant !== 'acme' || String(code) !== 'unauthorized' || status !== 200) {
  throw new Error('Something is wrong: ' + JSON.stringify([revision, tenant, code, status]));
}
`;

/** What a page would do. */
const page = `import { AgentkeepError, connect, type MemoryRecord } from '@agentkeep/client';

const agent = connect({ url: location.origin, secret: sessionStorage.getItem('token') ?? '' });
export async function drink(): Promise<MemoryRecord | undefined> {
  const scope = { project_id: 'p', agent_id: 'a', visibility: 'private' } as const;
  try {
    return await agent.memory.in(scope).read({ name: 'drink' });
  } catch (error) {
    if (error instanceof AgentkeepError && error.code === 'server_unreachable') return undefined;
    throw error;
  }
}
`;

const commonJs = `const { inMemoryStore, openKeep } = require('@agentkeep/core');
const { bootstrapTenant } = require('@agentkeep/core/operator');
const { createServer } = require('@agentkeep/server');
const { connect } = require('@agentkeep/client');

(async () => {
  const keep = await openKeep({ store: inMemoryStore() });
  const { secret } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  const fetch = createServer(keep).request;
  const { tenant_id } = await connect({ url: 'http://localhost', secret, fetch }).whoAmI();
  await keep.close();
  if (tenant_id !== 'acme') throw new Error('Something is wrong.');
})();
`;

/** Loads every adapter beside its framework, and lets each call an embedded agent. */
const adapters = `import { memoryTools } from '@agentkeep/ai-sdk';
import { AgentkeepMemory } from '@agentkeep/anthropic';
import { inMemoryStore, openKeep, type ScopeInput } from '@agentkeep/core';
import { agentFor } from '@agentkeep/core/operator';
import { AgentkeepStore } from '@agentkeep/langgraph';
import { mcpHandler } from '@agentkeep/mcp';
import { AgentkeepSession } from '@agentkeep/openai-agents';
import { postgresStore } from '@agentkeep/postgres';

const scope: ScopeInput = { project_id: 'p', agent_id: 'a', visibility: 'private' };
const keep = await openKeep({ store: inMemoryStore() });
const agent = await agentFor(keep, { tenantId: 'acme', subjectId: 's', scopes: [scope] });
const store = new AgentkeepStore(agent, { scope });
await store.put(['drinks'], 'tea', { kind: 'green' });
const session = new AgentkeepSession({ agent, scope, sessionId: 'ann' });
await session.addItems([{ role: 'user', content: 'Tea.' }]);
const memory = new AgentkeepMemory({ agent, scope });
await memory.create({ command: 'create', path: '/memories/tea.txt', file_text: 'Green.' });
const { fetch } = mcpHandler({ authenticate: (secret) => keep.authenticate(secret) });
const { status } = await fetch(new Request('http://localhost/mcp', { method: 'POST' }));
const found = [
  (await store.get(['drinks'], 'tea'))?.value['kind'],
  (await session.getItems()).length,
  Object.keys(memoryTools({ agent, scope })).length,
  status,
  typeof postgresStore,
];
await keep.close();
const expected = ['green', 1, 4, 401, 'function'];
if (JSON.stringify(found) !== JSON.stringify(expected)) throw new Error(JSON.stringify(found));
`;

const modules = `import { inMemoryStore, openKeep } from '@agentkeep/core';
import { bootstrapTenant } from '@agentkeep/core/operator';
import { createServer } from '@agentkeep/server';
import { connect } from '@agentkeep/client';

const keep = await openKeep({ store: inMemoryStore() });
const { secret } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
const fetch = createServer(keep).request;
const { tenant_id } = await connect({ url: 'http://localhost', secret, fetch }).whoAmI();
await keep.close();
if (tenant_id !== 'acme') throw new Error('Something is wrong.');
`;

/** CommonJS where modules are imported when they are needed, and a store on disk. */
const dynamicImport = `(async () => {
  const { openKeep } = await import('@agentkeep/core');
  const keep = await openKeep({ dataDir: './data' });
  await keep.close();
})();
`;

function compilerOptions(members: object): string {
  const common = { target: 'es2022', strict: true, skipLibCheck: false };
  return JSON.stringify({ compilerOptions: { ...common, ...members }, include: ['*.ts'] });
}

const nodeNext = {
  module: 'nodenext',
  lib: ['es2023', 'esnext.disposable'],
  types: ['node'],
  outDir: 'out',
};

const node16 = { ...nodeNext, module: 'node16' };

const bundled = {
  module: 'esnext',
  moduleResolution: 'bundler',
  lib: ['es2022', 'dom', 'dom.iterable'],
  types: [],
  noEmit: true,
};

/** All projects. */
export const projects: readonly Project[] = [
  {
    name: 'typescript-nodenext',
    files: {
      'package.json': '{ "type": "module" }',
      'tsconfig.json': compilerOptions(nodeNext),
      'main.ts': `${imports}\n${body}`,
    },
    commands: [
      ['tsc', '-p', '.'],
      ['node', 'out/main.js'],
    ],
  },
  {
    name: 'typescript-commonjs',
    files: {
      'package.json': '{ "type": "commonjs" }',
      'tsconfig.json': compilerOptions(nodeNext),
      'main.ts': `${imports}\nasync function main(): Promise<void> {\n${body}}\nvoid main();\n`,
    },
    commands: [
      ['tsc', '-p', '.'],
      ['node', 'out/main.js'],
    ],
  },
  {
    name: 'javascript-commonjs',
    files: { 'package.json': '{}', 'main.js': commonJs },
    commands: [['node', 'main.js']],
    isBrief: true,
    needsFolders: true,
  },
  {
    name: 'javascript-dynamic-import',
    files: { 'package.json': '{}', 'main.js': dynamicImport },
    commands: [['node', 'main.js']],
    isBrief: true,
    needsFolders: true,
  },
  {
    name: 'javascript-modules',
    files: { 'package.json': '{}', 'main.mjs': modules },
    commands: [['node', 'main.mjs']],
    isBrief: true,
  },
  {
    name: 'typescript-node16',
    files: {
      'package.json': '{ "type": "module" }',
      'tsconfig.json': compilerOptions(node16),
      'main.ts': `${imports}\n${body}`,
    },
    commands: [
      ['tsc', '-p', '.'],
      ['node', 'out/main.js'],
    ],
  },
  {
    name: 'type-stripping',
    files: { 'package.json': '{ "type": "module" }', 'main.ts': `${imports}\n${body}` },
    commands: [['node', 'main.ts']],
    since: [22, 18],
  },
  {
    name: 'adapters',
    files: {
      'package.json': '{ "type": "module" }',
      // Declarations of some frameworks do not compile by themselves.
      'tsconfig.json': compilerOptions({ ...nodeNext, skipLibCheck: true }),
      'main.ts': adapters,
    },
    commands: [
      ['tsc', '-p', '.'],
      ['node', 'out/main.js'],
    ],
    isBrief: true,
  },
  {
    name: 'bundler',
    files: {
      'package.json': '{ "type": "module" }',
      'tsconfig.json': compilerOptions(bundled),
      'page.ts': page,
    },
    commands: [
      ['tsc', '-p', '.'],
      ['esbuild', 'page.ts', '--bundle', '--minify', '--format=esm', '--outfile=page.js'],
    ],
  },
];
