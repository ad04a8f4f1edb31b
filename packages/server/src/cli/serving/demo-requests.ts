/** Sample requests to paste into a shell. */
import { routes } from '@agentkeep/client/routes';

/** The scope of the requests. */
export const DEMO_SCOPE = {
  project_id: 'demo',
  agent_id: 'assistant',
  visibility: 'private',
} as const;

const CREATE = {
  contract_version: 1,
  idempotency_key: 'first-memory',
  scope: DEMO_SCOPE,
  operation: {
    type: 'create',
    record: {
      episode_type: 'Observation',
      content: { primary: 'The customer prefers short answers.' },
      event_time_millis: 1_767_225_600_000,
      tags: ['preference'],
    },
  },
};

const QUERY = {
  contract_version: 1,
  scope: DEMO_SCOPE,
  filter: { text_contains: 'short answers' },
};

/** Shell variable that holds the agent's secret. */
export const AGENT_VARIABLE = 'AGENT_SECRET';

/** Shell variable that holds the administrator's secret. */
export const ADMIN_VARIABLE = 'ADMIN_SECRET';

/** Shell variable that holds the master's secret. */
export const MASTER_VARIABLE = 'MASTER_SECRET';

/** Shell variable that holds the password of the login request. */
export const PASSWORD_VARIABLE = 'AGENTKEEP_ADMIN_PASSWORD';

/**
 * Returns a login request that reads the password from its variable: its quotes close around it.
 */
export function loginRequest(url: string, username: string): { title: string; command: string } {
  const document = `{"username":"${username}","password":"'"$${PASSWORD_VARIABLE}"'"}`;
  return {
    title: 'Log in as the administrator of the installation:',
    command: post(url + routes.authLogin.path, [], document),
  };
}

/** Returns requests with titles; a command may span several lines. */
export function demoRequests(url: string): readonly { title: string; command: string }[] {
  return [
    {
      title: 'Who am I?',
      command: curl(url + routes.whoAmI.path),
    },
    {
      title: 'Store a memory; repeating the request changes nothing:',
      command: curl(url + routes.executeMemoryCommand.path, CREATE),
    },
    {
      title: 'Find it again:',
      command: curl(url + routes.queryMemory.path, QUERY),
    },
  ];
}

/** Returns the request that lists the tenants as the master. */
export function masterRequest(url: string): { title: string; command: string } {
  return {
    title: 'List the tenants, as the master:',
    command: `curl -sS '${url}${routes.listTenants.path}?contract_version=1' ${proofOf(MASTER_VARIABLE)}`,
  };
}

function proofOf(variable: string): string {
  return `-H "Authorization: Bearer $${variable}"`;
}

function curl(url: string, document?: object): string {
  const proof = proofOf(AGENT_VARIABLE);
  if (document === undefined) return `curl -sS '${url}' ${proof}`;
  return post(url, [proof], JSON.stringify(document));
}

function post(url: string, headers: readonly string[], body: string): string {
  const request = [`curl -sS '${url}'`, ...headers].join(' ');
  return `${request} \\\n    -H 'Content-Type: application/json' -d '${body}'`;
}
