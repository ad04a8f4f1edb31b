/** One policy: what admits, rejects and suspends procedures by it. */
import type { JSX } from 'preact';
import { FailureNote, Loading } from '../../parts/notes.js';
import { Screen } from '../../parts/screen.js';
import { Time } from '../../parts/time.js';
import { pathOf } from '../../routing/address.js';
import { Link } from '../../routing/link.js';
import { useLoaded } from '../../session/use-loaded.js';
import { texts } from '../../texts/en.js';
import { Facts } from './facts.js';
import type { PolicyEntry } from './learning-data.js';
import { policyWords } from './policy-words.js';

const { learning: words, basis } = texts;

/** Shows a policy. */
export function PolicyDetail({ id }: { readonly id: string }): JSX.Element {
  const { value, failure } = useLoaded(
    (agent, signal) => agent.learning.policy(id, { signal }),
    [id],
  );
  return (
    <Screen
      title={id}
      above={<Link to={pathOf('learning', { show: 'policies' })}>{basis.allPolicies}</Link>}
    >
      {failure === undefined ? undefined : <FailureNote failure={failure} />}
      {value === undefined && failure === undefined ? <Loading /> : undefined}
      {value === undefined ? undefined : <Policy entry={value} />}
    </Screen>
  );
}

function Policy({ entry }: { readonly entry: PolicyEntry }): JSX.Element {
  const { payload, registered_by: by, recorded_at_millis: at } = entry;
  const { admits, rejects, suspends } = policyWords(payload);
  return (
    <>
      <Sentences title={basis.admits} sentences={admits} />
      <Sentences title={basis.rejects} sentences={rejects} />
      <Sentences title={basis.suspends} sentences={suspends} />
      <Facts
        title={basis.definition}
        facts={[
          [basis.algorithm, basis.algorithms[payload.algorithm]],
          [words.evaluator, payload.parameters.evaluator_id],
          [basis.contract, payload.parameters.evaluation_contract],
          [basis.registeredBy, by],
          [words.registered, <Time millis={at} />],
        ]}
      />
    </>
  );
}

function Sentences(props: {
  readonly title: string;
  readonly sentences: readonly string[];
}): JSX.Element {
  const { title, sentences } = props;
  return (
    <section class="card" aria-label={title}>
      <h2>{title}</h2>
      <ul class="sentences">
        {sentences.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
    </section>
  );
}
