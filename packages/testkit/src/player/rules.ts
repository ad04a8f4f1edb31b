/**
 * Everything that can happen in a history.
 */
import { apiKeyRules } from './areas/api-keys.js';
import { credentialRules } from './areas/credentials.js';
import { experienceRules } from './areas/experiences.js';
import { installationRules } from './areas/installation.js';
import { learningRules } from './areas/learning.js';
import { lockoutRules } from './areas/lockouts.js';
import { loginAccountRules } from './areas/login-accounts.js';
import { loginRules } from './areas/logins.js';
import { memoryRules } from './areas/memory.js';
import { oversightRules } from './areas/oversight.js';
import { rateLimitRules } from './areas/rate-limits.js';
import { timeRules } from './areas/time.js';
import { toolRules } from './areas/tools.js';
import { userRules } from './areas/users.js';
import type { Rule } from './rule.js';

/** All rules; to model another operation, add its rule to the area that it is of. */
export const rules: readonly Rule[] = [
  ...credentialRules,
  ...memoryRules,
  ...installationRules,
  ...userRules,
  ...loginAccountRules,
  ...loginRules,
  ...lockoutRules,
  ...apiKeyRules,
  ...rateLimitRules,
  ...learningRules,
  ...toolRules,
  ...experienceRules,
  ...oversightRules,
  ...timeRules,
];
