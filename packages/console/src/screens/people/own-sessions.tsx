/** Where the signed-in account is signed in. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { FailureNote, Loading } from '../../parts/notes.js';
import { useLoaded } from '../../session/use-loaded.js';
import { SessionList } from './session-list.js';

/** Shows its sessions, and lets the person end them. */
export function OwnSessions({ accountId }: { readonly accountId: string }): JSX.Element {
  const [ended, setEnded] = useState(0);
  const { value, failure } = useLoaded(
    (agent, signal) => agent.users.sessions(accountId, { signal }),
    [accountId, ended],
  );
  if (failure !== undefined) return <FailureNote failure={failure} />;
  if (value === undefined) return <Loading />;
  return <SessionList sessions={value} accountId={accountId} onEnded={() => setEnded(ended + 1)} />;
}
