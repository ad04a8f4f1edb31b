/** Tests which rate limits are shown as those that apply. */
import { expect, test } from 'vitest';
import { type Limit, statesOf } from './limit-facts.js';

test('CSL-36 the newest enabled limit of each part applies', () => {
  const limits = [
    { endpoint_type: 'Login', enabled: false },
    { endpoint_type: { Custom: '/api/v1/memory' }, enabled: true },
    { endpoint_type: 'Login', enabled: true },
    { endpoint_type: 'Login', enabled: true },
    { endpoint_type: { Custom: '/api/v1/tools' }, enabled: true },
    { endpoint_type: { Custom: '/api/v1/memory' }, enabled: true },
  ] as unknown as readonly Limit[];
  const states = ['disabled', 'applies', 'applies', 'replaced', 'applies', 'replaced'];
  expect(statesOf(limits)).toEqual(states);
});
