/** The fields of a federation rule. */
import type { Agent } from '@agentkeep/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ChoiceField, TextField } from '../../parts/field.js';
import { FailureNote, Loading } from '../../parts/notes.js';
import { Repeated } from '../../parts/repeated.js';
import { pathOf } from '../../routing/address.js';
import { Link } from '../../routing/link.js';
import { useLoaded } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';
import { SelectorFields } from './selector-fields.js';

const words = texts.rule;
const CLAIMS_MAX = 16;
const SECONDS = { least: 60, usual: 600, most: 3_600 };

/** Shows the fields once the issuers are known. */
export function RuleFields(): JSX.Element {
  const { value: names, failure } = useLoaded(issuerNames, []);
  if (failure !== undefined) return <FailureNote failure={failure} />;
  if (names === undefined) return <Loading />;
  const [first] = names;
  if (first === undefined) {
    return (
      <p class="note">
        {words.noIssuer} <Link to={pathOf('access', { show: 'issuers' })}>{words.trust}</Link>
      </p>
    );
  }
  return (
    <>
      <ChoiceField
        label={words.issuer}
        name="issuer"
        value={first}
        choices={Object.fromEntries(names.map((name) => [name, name]))}
      />
      <SelectorFields label={words.sub} name="sub" />
      <Repeated words={words.claims} least={0} most={CLAIMS_MAX} group={() => <ClaimFields />} />
      <TextField label={words.subjectClaim} name="subject_claim" hint={words.subjectClaimHint} />
      <TextField
        label={words.seconds}
        name="token_seconds"
        type="number"
        value={String(SECONDS.usual)}
        min={SECONDS.least}
        max={SECONDS.most}
        required
      />
    </>
  );
}

async function issuerNames({ issuers }: Agent, signal: AbortSignal): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { name } of issuers.list({ limit: 100, signal })) names.push(name);
  return names;
}

/** A claim whose value is a text, or a boolean. */
function ClaimFields(): JSX.Element {
  const [kind, setKind] = useState('text');
  return (
    <>
      <TextField label={words.path} name="claim_path" hint={words.pathHint} required />
      <ChoiceField
        label={words.kind}
        name="claim_kind"
        value={kind}
        choices={words.kinds}
        onChange={setKind}
      />
      {kind === 'text' ? (
        <TextField label={words.value} name="claim_value" required />
      ) : (
        // The values stay in the order of their claims.
        <input type="hidden" name="claim_value" value="" />
      )}
    </>
  );
}
