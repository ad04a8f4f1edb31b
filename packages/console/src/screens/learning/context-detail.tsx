/** One context: in which circumstances procedures are judged, and what is chosen in them now. */
import type { JSX } from 'preact';
import { Tags } from '../../parts/tags.js';
import { Time } from '../../parts/time.js';
import { pathOf } from '../../routing/address.js';
import { Link } from '../../routing/link.js';
import { ScopeName } from '../../scopes/scope-name.js';
import { scopeQuery, type ShownScope } from '../../scopes/scope-query.js';
import { type Caller, may } from '../../session/caller.js';
import { useLoaded } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';
import { Choices } from './choices.js';
import { DetailFrame } from './detail-frame.js';
import { Facts } from './facts.js';
import type { ContextEntry } from './learning-data.js';
import { ScopeTable } from './scope-table.js';

const { learning: words, basis } = texts;

/** Shows a context, and the choices in a scope if the address names one. */
export function ContextDetail(props: {
  readonly caller: Caller;
  readonly id: string;
  readonly shown: ShownScope | undefined;
}): JSX.Element {
  const { caller, id, shown } = props;
  const loaded = useLoaded((agent, signal) => agent.learning.context(id, { signal }), [id]);
  const above = { to: { show: 'contexts' }, text: basis.allContexts };
  return (
    <DetailFrame title={id} above={above} loaded={loaded} about={({ payload }) => payload.task}>
      {(context) => (
        <>
          <section class="stack-tight" aria-label={basis.choices}>
            <h2>{basis.choices}</h2>
            <ChoicesOf caller={caller} context={context} shown={shown} />
          </section>
          <ContextFacts context={context} />
        </>
      )}
    </DetailFrame>
  );
}

function ChoicesOf(props: {
  readonly caller: Caller;
  readonly context: ContextEntry;
  readonly shown: ShownScope | undefined;
}): JSX.Element {
  const { caller, context, shown } = props;
  if (!may(caller, 'memory_read')) return <p class="soft">{basis.needsMemory}</p>;
  if (shown === undefined) {
    const to = (chosen: ShownScope): string =>
      pathOf('learning', { ...scopeQuery(chosen), context: context.id });
    return <ScopeTable caller={caller} about={basis.chooseScope} to={to} />;
  }
  return (
    <>
      <p>
        <strong>
          <ScopeName scope={shown.scope} />
        </strong>{' '}
        <Link to={pathOf('learning', { context: context.id })}>{basis.otherScope}</Link>
      </p>
      <Choices caller={caller} shown={shown} context={context} />
    </>
  );
}

function ContextFacts({ context }: { readonly context: ContextEntry }): JSX.Element {
  const { payload, registered_by: by, recorded_at_millis: at } = context;
  const tools = Object.entries(payload.tools).map(([name, version]) => `${name} ${version}`);
  return (
    <Facts
      title={basis.circumstances}
      facts={[
        [words.task, payload.task],
        [words.baseline, payload.baseline_revision],
        [basis.model, `${payload.model_provider} ${payload.model_revision}`],
        [basis.environment, payload.environment_revision],
        [basis.contract, payload.evaluation_contract],
        [basis.dataset, payload.dataset_revision],
        [basis.harness, payload.harness_revision],
        [basis.permissions, payload.permissions_revision],
        [basis.tools, <Tags words={tools} />],
        [basis.registeredBy, by],
        [words.registered, <Time millis={at} />],
      ]}
    />
  );
}
