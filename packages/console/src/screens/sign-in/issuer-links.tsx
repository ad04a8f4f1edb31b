/** Links to the issuers by which people of a tenant sign in. */
import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { pathOf } from '../../routing/address.js';
import { beginWork } from '../../session/session.js';
import { texts } from '../../texts/en/english.js';

const WAIT_MS = 400;

const names = signal<readonly string[]>([]);

/** Shows the links, once the name of the tenant was typed. */
export function IssuerLinks({ tenantId }: { readonly tenantId: string }): JSX.Element | null {
  useEffect(() => {
    const waiting = setTimeout(() => {
      void find(tenantId).then((found) => {
        names.value = found;
      });
    }, WAIT_MS);
    return () => {
      clearTimeout(waiting);
    };
  }, [tenantId]);
  if (names.value.length === 0) return null;
  return (
    <nav class="stack-tight" aria-label={texts.signIn.issuers}>
      {names.value.map((name) => (
        <a key={name} class="button" href={addressOf(name, tenantId)}>
          {texts.signIn.issuer(name)}
        </a>
      ))}
    </nav>
  );
}

async function find(tenantId: string): Promise<readonly string[]> {
  try {
    const tenancy = tenantId === '' ? {} : { tenantId };
    return (await beginWork().agent.signIn.methods(tenancy)).issuers;
  } catch {
    return [];
  }
}

function addressOf(name: string, tenantId: string): string {
  const query = new URLSearchParams({ next: pathOf('') });
  if (tenantId !== '') query.set('tenant', tenantId);
  return `/login/openid/${encodeURIComponent(name)}?${query.toString()}`;
}
