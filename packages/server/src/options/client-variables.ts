/** Variables of commands that call a server. No command refuses them. */
import { agentSecretVariables } from './agent-secret.js';

/** The default URL of a server on this machine. */
export const DEFAULT_URL = 'http://127.0.0.1:7474';

/** Address of the server to call. */
export const URL_VARIABLE = 'AGENTKEEP_URL';

/** Profile to call with. */
export const PROFILE_VARIABLE = 'AGENTKEEP_PROFILE';

/** Names the file with the profiles. */
export const PROFILES_VARIABLE = 'AGENTKEEP_PROFILES_FILE';

/** All of these variables, and those of the secret. */
export const clientVariables: readonly string[] = [
  URL_VARIABLE,
  PROFILE_VARIABLE,
  PROFILES_VARIABLE,
  ...agentSecretVariables,
];
