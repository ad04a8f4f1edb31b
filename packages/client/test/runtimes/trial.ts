/**
 * What a program does with the client in any engine. It has no import but the client, and uses no
 * global that an engine may lack. `npm run test:runtimes` runs it in each of them.
 */
import { type Agent, AgentkeepError, connect, type ScopeInput } from '@agentkeep/client';

/** Where to find the servers of a trial. */
export interface TrialSettings {
  readonly url: string;
  /** A way to the same server on which the first tries of a call fail. */
  readonly interruptedUrl: string;
  readonly secret: string;
  /** A server that refuses the origin of the page, in a browser. */
  readonly refusingUrl?: string;
}

/** The result of a trial. */
export interface TrialResult {
  /** Steps that passed, in order. */
  readonly passed: readonly string[];
  /** What went wrong in the step after them. */
  readonly problem?: string;
}

const scope: ScopeInput = { project_id: 'p', agent_id: 'a', visibility: 'private' };

function observation(primary: string) {
  return { episode_type: 'Observation' as const, content: { primary }, event_time_millis: 0 };
}

function expectSame(found: unknown, expected: unknown): void {
  const [one, other] = [JSON.stringify(found), JSON.stringify(expected)];
  if (one !== other) throw new Error(`expected ${other}, found ${one}`);
}

async function texts(agent: Agent, text: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { payload } of agent.memory.in(scope).query({ text_contains: text })) {
    found.push(payload.content.primary);
  }
  return found;
}

async function codeOf(agent: Agent): Promise<string> {
  const error: unknown = await agent.whoAmI().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof AgentkeepError ? error.code : String(error);
}

/** Follows changes: one that there is, one that comes later, and then none until the signal. */
async function follow(agent: Agent): Promise<void> {
  const over = new AbortController();
  const actions: string[] = [];
  let reason: unknown;
  try {
    for await (const { action } of agent.memory.in(scope).changes({ signal: over.signal })) {
      actions.push(action);
      if (actions.length === 1) void agent.memory.in(scope).create(observation('Later.'));
      if (actions.length === 2) setTimeout(() => over.abort(new Error('enough')), 50);
    }
  } catch (error) {
    reason = error;
  }
  expectSame(actions, ['created', 'created']);
  expectSame(reason instanceof Error && reason.message, 'enough');
}

type Step = readonly [name: string, run: (settings: TrialSettings, agent: Agent) => Promise<void>];

const steps: readonly Step[] = [
  ['whoAmI', async (_, agent) => expectSame((await agent.whoAmI()).tenant_id, 'acme')],
  [
    'create and query',
    async (_, agent) => {
      expectSame((await agent.memory.in(scope).create(observation('Tea, später ☕'))).revision, 1);
      expectSame(await texts(agent, 'später'), ['Tea, später ☕']);
    },
  ],
  ['follow changes', (_, agent) => follow(agent)],
  [
    'errors',
    async ({ url }) => expectSame(await codeOf(connect({ url, secret: 'wrong' })), 'unauthorized'),
  ],
  [
    'retry',
    async ({ interruptedUrl, secret }, agent) => {
      const retry = { firstWaitMillis: 20 };
      const interrupted = connect({ url: interruptedUrl, secret, retry });
      await interrupted.memory.in(scope).create(observation('Once.'));
      expectSame(await texts(agent, 'Once'), ['Once.']);
    },
  ],
  [
    'refused origin',
    async ({ refusingUrl: url, secret }) => {
      if (url === undefined) return;
      const refused = await codeOf(connect({ url, secret, retry: false }));
      expectSame(refused, 'server_unreachable');
    },
  ],
];

/** Tries the client. Never rejects. */
export async function tryClient(settings: TrialSettings): Promise<TrialResult> {
  const { url, secret, refusingUrl } = settings;
  const agent = connect({ url, secret });
  const passed: string[] = [];
  const own = steps.filter(([name]) => refusingUrl !== undefined || name !== 'refused origin');
  for (const [name, run] of own) {
    try {
      await run(settings, agent);
      passed.push(name);
    } catch (error) {
      return { passed, problem: `${name}: ${String(error)}` };
    }
  }
  return { passed };
}
