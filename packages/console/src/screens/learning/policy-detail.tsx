/** One policy: what admits, rejects and suspends procedures by it. */
import type { JSX } from 'preact';
import { Time } from '../../parts/time.js';
import { useLoaded } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';
import { DetailFrame } from './detail-frame.js';
import { Facts } from './facts.js';
import type { PolicyEntry } from './learning-data.js';
import { policyWords } from './policy-words.js';

const { learning: words, basis } = texts;

/** Shows a policy. */
export function PolicyDetail({ id }: { readonly id: string }): JSX.Element {
  const loaded = useLoaded((agent, signal) => agent.learning.policy(id, { signal }), [id]);
  const above = { to: { show: 'policies' }, text: basis.allPolicies };
  return (
    <DetailFrame title={id} above={above} loaded={loaded}>
      {(entry) => <Policy entry={entry} />}
    </DetailFrame>
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
