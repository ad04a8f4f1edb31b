/** Which tokens of an issuer prove a credential. */
import type { Credential } from '@agentkeep/client';
import type { JSX } from 'preact';
import { pathOf } from '../../routing/address.js';
import { Link } from '../../routing/link.js';
import { texts } from '../../texts/en/english.js';
import { claimText, pathText } from './federation-rule.js';
import { selectorText } from './selector.js';

const words = texts.rule;

/** Shows a rule, which stays as it was issued. */
export function RuleCard(props: {
  readonly rule: NonNullable<Credential['federation']>;
}): JSX.Element {
  const { issuer, sub, claims, subject_claim: claim, token_seconds: seconds } = props.rule;
  return (
    <section class="card" aria-label={words.title}>
      <h2>{words.title}</h2>
      <dl class="facts">
        <dt>{words.issuer}</dt>
        <dd>
          <Link to={pathOf('access', { show: 'issuers' })}>{issuer}</Link>
        </dd>
        <dt>{words.sub}</dt>
        <dd>{selectorText(sub)}</dd>
        <dt>{words.matched}</dt>
        <dd>
          {claims.length === 0 ? (
            texts.none
          ) : (
            <ul class="plain-list">
              {claims.map((each) => (
                <li key={claimText(each)}>{claimText(each)}</li>
              ))}
            </ul>
          )}
        </dd>
        <dt>{words.subjectClaim}</dt>
        <dd>{claim === null ? words.itself : pathText(claim)}</dd>
        <dt>{words.seconds}</dt>
        <dd>{seconds}</dd>
      </dl>
    </section>
  );
}
