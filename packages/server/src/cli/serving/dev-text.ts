/** What `agentkeep dev` prints once it serves: at most ten lines, for terminals and pipes alike. */
import { CONTRACT_DOCUMENT_VERSION } from '@agentkeep/core';
import { routes } from '@agentkeep/client/routes';
import type { DevSecrets, WrittenSecrets } from './dev-secrets.js';

/** The outcome for the secrets of this start. */
export type SecretsOutcome =
  /** Everything was there, and was kept. */
  | 'kept'
  | WrittenSecrets
  /** They could not be written. */
  | { readonly secrets: DevSecrets; readonly reason: string };

/** What there is to say. */
export interface DevStart {
  readonly url: string;
  readonly dataDir: string;
  /** A link to the console for the person of the tenant; `undefined` without a console. */
  readonly link: string | undefined;
  /** The same for the owner of the installation. */
  readonly ownerLink: string | undefined;
  readonly outcome: SecretsOutcome;
  /** What a person writes to run this command. */
  readonly program: string;
}

/** The secrets that a newcomer needs. `profiles list` names the files of the others. */
const roles: Partial<Readonly<Record<keyof DevSecrets, string>>> = {
  agent: 'the agent',
  admin: 'the administrator of the tenant',
};

const variables: Readonly<Record<keyof DevSecrets, string>> = {
  agent: 'AGENT_SECRET',
  admin: 'ADMIN_SECRET',
  master: 'MASTER_SECRET',
  password: 'AGENTKEEP_ADMIN_PASSWORD',
};

/** Returns the lines. */
export function devText({ url, dataDir, link, ownerLink, outcome, program }: DevStart): string[] {
  return [
    `Agentkeep ${CONTRACT_DOCUMENT_VERSION} serves ${url} from ${dataDir}`,
    ...(link === undefined || ownerLink === undefined
      ? []
      : [
          `Console: ${link}`,
          `Console with tenants and system: ${ownerLink}`,
          'Each link signs you in once, within ten minutes.',
        ]),
    ...secretsText(url, outcome, program),
    `Stop with Ctrl+C. Documentation: ${url}/docs`,
  ];
}

function secretsText(url: string, outcome: SecretsOutcome, program: string): string[] {
  if (outcome === 'kept') {
    return [
      'Using the existing tenant "demo". Its secrets are in the files that the first start wrote.',
      'To start over, use --reset, or another directory with --data-dir.',
    ];
  }
  if ('reason' in outcome) {
    const shown = Object.entries(outcome.secrets).filter(([, secret]) => secret !== undefined);
    return [
      `The profiles could not be written: ${outcome.reason} These secrets are shown only once:`,
      ...shown.map(([whose, secret]) => `  ${variables[whose as keyof DevSecrets]}='${secret}'`),
    ];
  }
  const { folder, files, flag } = outcome;
  const named = files.flatMap(({ whose, name }) => {
    const role = roles[whose];
    return role === undefined ? [] : [`${name} (${role})`];
  });
  const agent = files.find(({ whose }) => whose === 'agent');
  return [
    `Secrets in ${folder}: ${named.join(', ')}. All: ${program} profiles list`,
    ...(agent === undefined ? [] : trials(url, `${folder}/${agent.name}`, { program, flag })),
  ];
}

function trials(
  url: string,
  file: string,
  { program, flag }: { readonly program: string; readonly flag: string },
): string[] {
  return [
    'Try:',
    `  ${program} remember 'Ann prefers short answers.'${flag}`,
    `  ${program} recall 'How should I answer?'${flag}`,
    `  curl -s ${url}${routes.whoAmI.path} -H "Authorization: Bearer $(cat ${file})"`,
  ];
}
