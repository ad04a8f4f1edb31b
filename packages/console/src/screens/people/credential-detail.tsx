/** One credential: what it may do, what happened to it, and what its subject can reach. */
import type { Credential } from '@agentkeep/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Name, seenText } from '../../parts/name.js';
import { FailureNote, Loading } from '../../parts/notes.js';
import { Screen } from '../../parts/screen.js';
import { Tags } from '../../parts/tags.js';
import { Time } from '../../parts/time.js';
import { pathOf } from '../../routing/address.js';
import { Link } from '../../routing/link.js';
import type { Caller } from '../../session/caller.js';
import { useLoaded } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';
import { RevokeCredential, RotateCredential } from './change-credential.js';
import { proofOf, rightText, scopesText, stateOf } from './credential-facts.js';
import { CredentialHistory } from './credential-history.js';
import { CredentialStateTag } from './credential-state-tag.js';
import { PauseSubject } from './pause-subject.js';
import { ReplaceKey } from './replace-key.js';
import { RuleCard } from './rule-card.js';
import { selectorText } from './selector.js';
import { SubjectReach } from './subject-reach.js';

const words = texts.credentials;

/** Shows a credential. */
export function CredentialDetail(props: {
  readonly caller: Caller;
  readonly id: string;
}): JSX.Element {
  const { caller, id } = props;
  const [changed, setChanged] = useState(0);
  const { value, failure } = useLoaded(
    (agent, signal) => agent.credentials.inspect(id, { signal }),
    [id, changed],
  );
  const isOwn = caller.credential?.id === id;
  return (
    <Screen
      title={value === undefined ? texts.people.credentials : seenText(value.spec.subject_id)}
      above={<Link to={pathOf('access', { show: 'credentials' })}>{words.back}</Link>}
      actions={
        value === undefined || isOwn ? undefined : (
          <Changes credential={value} onChanged={() => setChanged(changed + 1)} />
        )
      }
    >
      {failure === undefined ? undefined : <FailureNote failure={failure} />}
      {value === undefined && failure === undefined ? <Loading /> : undefined}
      {value === undefined ? undefined : (
        <>
          {isOwn ? <p class="note">{words.own}</p> : undefined}
          <Facts credential={value} />
          <PauseSubject caller={caller} credentialId={id} />
          {value.federation === undefined ? undefined : <RuleCard rule={value.federation} />}
          <SubjectReach key={value.revision} subject={value.spec.subject_id} />
          <CredentialHistory credential={value} />
        </>
      )}
    </Screen>
  );
}

function Changes(props: {
  readonly credential: Credential;
  readonly onChanged: () => void;
}): JSX.Element | null {
  const { credential, onChanged } = props;
  const [open, setOpen] = useState<'rotate' | 'key' | 'revoke'>();
  // Whatever came of it, the page shows what is there now.
  const leave = (): void => {
    setOpen(undefined);
    onChanged();
  };
  const state = stateOf(credential, Date.now());
  const replaced = state === 'live' ? proofOf(credential) : undefined;
  return (
    <>
      {replaced === 'secret' ? (
        <button type="button" onClick={() => setOpen('rotate')}>
          {texts.rotate.open}
        </button>
      ) : undefined}
      {replaced === 'key' ? (
        <button type="button" onClick={() => setOpen('key')}>
          {texts.publicKey.replace.open}
        </button>
      ) : undefined}
      {state === 'revoked' ? undefined : (
        <button type="button" class="danger" onClick={() => setOpen('revoke')}>
          {texts.revoke.open}
        </button>
      )}
      {open === 'rotate' ? <RotateCredential credential={credential} onLeave={leave} /> : undefined}
      {open === 'key' ? <ReplaceKey credential={credential} onLeave={leave} /> : undefined}
      {open === 'revoke' ? <RevokeCredential credential={credential} onLeave={leave} /> : undefined}
    </>
  );
}

function Facts({ credential }: { readonly credential: Credential }): JSX.Element {
  const {
    id,
    spec,
    revision,
    program,
    key_thumbprint: key,
    previous_secret: previous,
  } = credential;
  const { expires_at_millis: expires } = spec;
  const facts: readonly (readonly [string, JSX.Element | string | number])[] = [
    [words.state, <CredentialStateTag state={stateOf(credential, Date.now())} />],
    [words.rights, <Tags words={spec.capabilities.map(rightText)} />],
    ...(spec.act_for === undefined
      ? []
      : [[texts.issue.actsFor, selectorText(spec.act_for)] as const]),
    [words.scopes, scopesText(credential)],
    [words.proof, words.proofs[proofOf(credential)]],
    ...(key === undefined ? [] : [[words.thumbprint, <code>{key}</code>] as const]),
    ...(program === undefined
      ? []
      : [[words.program, <Name of={program.client_name ?? program.client_host} />] as const]),
    ...(previous === undefined
      ? []
      : [[words.previousEnds, <Time millis={previous.ends_at_millis} />] as const]),
    [words.expires, expires === null ? words.never : <Time millis={expires} />],
    [words.revision, revision],
    [words.id, <code>{id}</code>],
  ];
  return (
    <section class="card" aria-label={texts.people.credentials}>
      <dl class="facts">
        {facts.map(([label, fact]) => (
          <>
            <dt>{label}</dt>
            <dd>{fact}</dd>
          </>
        ))}
      </dl>
    </section>
  );
}
