/** The screen where people sign in. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Brand } from '../../parts/brand.js';
import { TextField, textsOf } from '../../parts/field.js';
import { FailureNote } from '../../parts/notes.js';
import {
  type CloseReason,
  linkFailure,
  signInWithPassword,
  signInWithSecret,
} from '../../session/session.js';
import { useWork } from '../../session/use-loaded.js';
import { Preferences } from '../../parts/preferences.js';
import { texts } from '../../texts/en/english.js';
import { IssuerLinks } from './issuer-links.js';

const words = texts.signIn;

/** Shows the ways to sign in. `reason` says why a session has ended, if there was one. */
export function SignIn({ reason }: { readonly reason: CloseReason | undefined }): JSX.Element {
  const [way, setWay] = useState<'password' | 'secret'>('password');
  const [tenantId, setTenant] = useState('');
  useEffect(() => {
    document.title = `${words.title} · ${texts.product}`;
  }, []);
  const act = useWork(async (work, sent: Record<string, string>) => {
    const { tenant = '', username = '', password = '', secret = '' } = sent;
    if (way === 'secret') await signInWithSecret(work, secret.trim());
    else await signInWithPassword(work, { tenantId: tenant, username, password });
  });
  const choose = (next: typeof way): void => {
    act.forget();
    setWay(next);
  };
  return (
    <main class="gate" id="content">
      <div class="card">
        <Brand />
        <h1>{words.title}</h1>
        {reason === 'ended' ? <p class="note warned">{words.ended}</p> : undefined}
        {reason === 'passwordChanged' ? <p class="note">{texts.ownPassword.changed}</p> : undefined}
        <FailureNote failure={linkFailure.value} />
        <div class="switch" role="group" aria-label={words.ways}>
          <button
            type="button"
            aria-pressed={way === 'password'}
            onClick={() => choose('password')}
          >
            {words.byPassword}
          </button>
          <button type="button" aria-pressed={way === 'secret'} onClick={() => choose('secret')}>
            {words.bySecret}
          </button>
        </div>
        <form
          key={way}
          class="stack"
          onSubmit={(event) => act.run(textsOf(event))}
          onInput={(event) => {
            const { name, value } = event.target as HTMLInputElement;
            if (name === 'tenant') setTenant(value);
          }}
        >
          {way === 'password' ? <PasswordFields /> : <SecretField />}
          <button class="main" type="submit" disabled={act.isRunning}>
            {words.go}
          </button>
          <FailureNote failure={act.failure} />
        </form>
        {way === 'password' ? <IssuerLinks tenantId={tenantId} /> : undefined}
        <Preferences />
      </div>
    </main>
  );
}

function PasswordFields(): JSX.Element {
  const { tenant, tenantHint, username, password } = words;
  return (
    <>
      <TextField label={tenant} name="tenant" hint={tenantHint} autocomplete="organization" />
      <TextField label={username} name="username" autocomplete="username" required />
      <TextField
        label={password}
        name="password"
        type="password"
        autocomplete="current-password"
        required
      />
    </>
  );
}

function SecretField(): JSX.Element {
  const { secret, secretHint } = words;
  return <TextField label={secret} name="secret" hint={secretHint} type="password" required />;
}
