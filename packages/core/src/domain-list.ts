/** The domains of a keep, one a line. `domains.ts` puts them in order. */
export { erasure } from './domains/erasure/erasure-domain.js';
export { learning } from './domains/learning/learning-domain.js';
export { memory } from './domains/memory/memory-domain.js';
export { people } from './domains/people/people-domain.js';
export { reach } from './domains/reach/reach-domain.js';
export { tenancy } from './domains/tenancy/tenancy-domain.js';
export { upkeep } from './upkeep/domain/upkeep-domain.js';
export { webhooks } from './domains/webhooks/webhooks-domain.js';
