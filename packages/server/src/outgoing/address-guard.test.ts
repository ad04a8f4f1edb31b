/** Which addresses may be called. */
import { expect, test } from 'vitest';
import { addressGuard } from './address-guard.js';

test('public addresses and listed ones are permitted', () => {
  const { permits } = addressGuard(['10.20.0.0/16', 'fd00::/8']);
  const permitted = ['93.184.215.14', '10.20.1.1', '2606:2800:21f::1', 'fd12::1'];
  expect(permitted.filter((address) => !permits(address))).toEqual([]);
  expect(['10.21.0.1', 'fe80::1', '2001:db8::1'].filter(permits)).toEqual([]);
});
