/** Namespaces in receipts have one text for each place, within the size limit. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { namespaceOf, shownNamespace } from './namespace.js';
import type { ActingCredential } from './principal.js';
import type { Scope } from './scope.js';

const NAMESPACE_BYTES_MAX = 4_096;

const credentialOf = (tenantId: string, subjectId: string): ActingCredential => ({
  id: '00000000-0000-7000-8000-000000000000',
  tenantId,
  spec: { subject_id: subjectId, capabilities: [], grants: [], expires_at_millis: null },
  revision: 1,
  verifier: '',
  revokedAtMillis: null,
});
const shown = (tenantId: string, subjectId: string, scope: Scope): string =>
  shownNamespace(namespaceOf(credentialOf(tenantId, subjectId), scope));

const id = fc.oneof(
  fc.constantFrom('a', 'b', 'null', '"', ',', '\\'),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 6 }),
);
const place = fc.record({
  tenantId: id,
  subjectId: id,
  scope: fc.record({
    project_id: id,
    mission_id: fc.option(id),
    agent_id: id,
    visibility: fc.constantFrom('private', 'shared'),
  }),
});

test('two places share a namespace exactly when they mean the same one', () => {
  fc.assert(
    fc.property(place, place, (one, other) => {
      const isSame =
        one.tenantId === other.tenantId &&
        JSON.stringify(one.scope) === JSON.stringify(other.scope) &&
        (one.scope.visibility === 'shared' || one.subjectId === other.subjectId);
      const texts = [one, other].map((it) => shown(it.tenantId, it.subjectId, it.scope));
      expect(texts[0] === texts[1]).toBe(isSame);
    }),
  );
});

test.each(['"', '\\', '\u{10FFFF}', 'é'])('the longest ids of %s fit', (character) => {
  const longest = character.repeat(256 / Buffer.byteLength(character, 'utf8'));
  const scope: Scope = {
    project_id: longest,
    mission_id: longest,
    agent_id: longest,
    visibility: 'private',
  };
  expect(Buffer.byteLength(shown(longest, longest, scope), 'utf8')).toBeLessThanOrEqual(
    NAMESPACE_BYTES_MAX,
  );
});
