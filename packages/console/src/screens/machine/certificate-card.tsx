/** The certificate of an erasure, in words and as it is signed. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { FailureNote } from '../../parts/notes.js';
import { Time } from '../../parts/time.js';
import { useAction } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';
import { type CopyBeyondReach, isProved, readCertificate } from './certificate.js';

const words = texts.machine.certificate;

/** The names of kinds of copies. A certificate of a newer server may have others. */
const kindNames: Readonly<Record<string, string>> = words.kinds;

/** Shows a certificate, and checks its signature when it is asked for. */
export function CertificateCard({ certificate }: { readonly certificate: string }): JSX.Element {
  const { issuer, signedAtMs, targetDigest, keysDigest, beyondReach } =
    readCertificate(certificate);
  const [outcome, setOutcome] = useState<'proved' | 'notProved'>();
  const check = useAction(async () => {
    setOutcome((await isProved(certificate)) ? 'proved' : 'notProved');
  });
  return (
    <section class="card" aria-label={words.title}>
      <h2>{words.title}</h2>
      <dl class="facts">
        <dt>{words.issuer}</dt>
        <dd>{issuer}</dd>
        <dt>{words.signed}</dt>
        <dd>
          <Time millis={signedAtMs} />
        </dd>
        <dt>{words.target}</dt>
        <dd>
          <code>{targetDigest}</code>
        </dd>
        <dt>{words.keys}</dt>
        <dd>
          <code>{keysDigest}</code>
        </dd>
        <dt>{words.beyond}</dt>
        <dd>{beyondReach.length === 0 ? texts.none : <Copies copies={beyondReach} />}</dd>
      </dl>
      <code class="secret certificate" role="group" aria-label={words.text} tabIndex={0}>
        {certificate}
      </code>
      <div class="row">
        {/* Pages that were not loaded over https can check nothing. */}
        {isSecureContext ? (
          <button type="button" disabled={check.isRunning} onClick={() => check.run()}>
            {words.check}
          </button>
        ) : undefined}
        <span role="status">
          {outcome === undefined ? undefined : (
            <span class={outcome === 'proved' ? 'tag good' : 'tag bad'}>{words[outcome]}</span>
          )}
        </span>
      </div>
      <FailureNote failure={check.failure} />
    </section>
  );
}

function Copies({ copies }: { readonly copies: readonly CopyBeyondReach[] }): JSX.Element {
  return (
    <ul class="plain-list">
      {copies.map(({ kind, id, created_at: made }) => (
        <li key={`${kind} ${id ?? ''}`}>
          {kindNames[kind] ?? kind} {id === undefined ? undefined : <code>{id}</code>}{' '}
          {made === undefined ? undefined : <Time millis={new Date(made).getTime()} />}
        </li>
      ))}
    </ul>
  );
}
