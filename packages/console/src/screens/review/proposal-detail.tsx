/** One proposal: who proposes what, and the decision. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { FailureNote, Loading } from '../../parts/notes.js';
import { ageText } from '../../parts/time.js';
import { ScopeLink } from '../../scopes/scope-name.js';
import { type Caller, may } from '../../session/caller.js';
import { useAction, useLoaded } from '../../session/use-loaded.js';
import { texts } from '../../texts/en.js';
import { Differences } from './differences.js';
import type { DifferencePage, Proposal } from './proposal.js';
import { RejectProposal } from './reject-proposal.js';

const words = texts.review;
const SHOWN_MAX = 100;

/** A proposal, and who looks at it. */
interface DetailProps {
  readonly caller: Caller;
  readonly proposal: Proposal;
  /** Whether it is still what the list shows. */
  readonly isListed: boolean;
  readonly onDecided: () => void;
}

/** Shows a proposal with what it changes. */
export function ProposalDetail(props: DetailProps): JSX.Element {
  const { proposal, isListed } = props;
  const waits = proposal.state === 'proposed';
  const [round, setRound] = useState(0);
  const { value, failure } = useLoaded(
    async (agent, signal) =>
      waits ? agent.branches.diffPage(proposal.id, { limit: SHOWN_MAX, signal }) : undefined,
    [proposal.id, proposal.state, round],
  );
  return (
    <section class="stack" aria-label={proposal.purpose ?? words.title}>
      <div class="card">
        <div class="history-head">
          <h2>{proposal.author.subject_id}</h2>
          <span class="soft small">{standing(proposal)}</span>
        </div>
        {proposal.purpose === null ? undefined : <p>{proposal.purpose}</p>}
        {proposal.reason === null ? undefined : (
          <p class="note">
            {words.reason}: {proposal.reason}
          </p>
        )}
        <p class="row small">
          {proposal.scopes.map((scope) => (
            <ScopeLink key={JSON.stringify(scope)} scope={scope} subjectId={undefined} />
          ))}
        </p>
      </div>
      {isListed ? undefined : <p class="note warned">{words.decidedElsewhere}</p>}
      {failure === undefined ? undefined : <FailureNote failure={failure} />}
      {waits && value === undefined && failure === undefined ? <Loading /> : undefined}
      {value === undefined ? undefined : (
        <Decision
          key={value.digest}
          {...props}
          differences={value}
          onPart={() => setRound(round + 1)}
        />
      )}
      {waits ? undefined : <p class="soft">{words.gone}</p>}
    </section>
  );
}

function standing({ state, age_millis: age, reviewer }: Proposal): string {
  if (state === 'proposed') return words.waits(ageText(age));
  return words.decided(words.states[state].toLowerCase(), reviewer?.subject_id ?? '');
}

/** Nobody reviews what it proposed itself. */
function mayDecide({ caller, proposal }: Pick<DetailProps, 'caller' | 'proposal'>): boolean {
  const own = caller.credential?.spec.subject_id;
  return may(caller, 'memory_review') && proposal.author.subject_id !== own;
}

function Decision(
  props: DetailProps & { readonly differences: DifferencePage; readonly onPart: () => void },
): JSX.Element {
  const { proposal, differences, onPart, onDecided } = props;
  const { items } = differences.page;
  const [left, setLeft] = useState<readonly string[]>([]);
  const [isRejecting, setRejecting] = useState(false);
  const [isStopped, setStopped] = useState(false);
  const kept = items.filter(({ record_id: id }) => !left.includes(id));
  const accept = useAction(async (agent) => {
    const ids = new Set(kept.map(({ record_id: id }) => id));
    const some = left.length === 0 ? {} : { records: [...ids] };
    const { digest } = differences;
    const merge = await agent.branches.merge(proposal.id, { digest, ...some });
    const isConflict = merge.state === 'conflicts';
    setStopped(isConflict);
    if (isConflict) return;
    // What is left of a part goes on waiting.
    if (left.length > 0) onPart();
    else onDecided();
  });
  const decides = mayDecide(props);
  return (
    <>
      <Differences
        differences={items}
        left={left}
        {...(decides && items.length > 1 ? { onLeave: setLeft } : {})}
      />
      {isStopped ? <p class="note warned">{words.stopped}</p> : undefined}
      <FailureNote failure={accept.failure} />
      {decides ? (
        <div class="row decision">
          <button
            type="button"
            class="main"
            data-key="a"
            disabled={accept.isRunning || kept.length === 0}
            onClick={() => accept.run()}
          >
            {left.length === 0 ? words.accept : words.acceptSome(kept.length)}
          </button>
          <button type="button" data-key="r" onClick={() => setRejecting(true)}>
            {words.reject}
          </button>
        </div>
      ) : undefined}
      {isRejecting ? (
        <RejectProposal
          id={proposal.id}
          onLeave={() => setRejecting(false)}
          onDecided={onDecided}
        />
      ) : undefined}
    </>
  );
}
