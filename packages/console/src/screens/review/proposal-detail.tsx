/** One proposal: who proposes what, and the decision. */
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { FailureNote, Loading } from '../../parts/notes.js';
import { ageText, Time } from '../../parts/time.js';
import { ScopeLink } from '../../scopes/scope-name.js';
import { type Caller, may } from '../../session/caller.js';
import { useLoaded } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';
import { decide, decisions, type Verdict } from './decisions.js';
import { Differences } from './differences.js';
import { MergedChanges } from './merged-changes.js';
import type { DifferencePage, Proposal } from './proposal.js';
import { RejectProposal } from './reject-proposal.js';

const words = texts.review;
const SHOWN_MAX = 100;

/** A proposal, and who looks at it. */
interface DetailProps {
  readonly caller: Caller;
  readonly proposal: Proposal;
  /** Whether the server has it no more. */
  readonly isMissing: boolean;
  readonly onDecided: () => void;
}

/** Shows a proposal with what it changes, or with what was decided. */
export function ProposalDetail(props: DetailProps): JSX.Element {
  const { proposal, isMissing } = props;
  const isOpen = proposal.state === 'proposed' && !isMissing;
  const { value, failure } = useLoaded(
    async (agent, signal) =>
      isOpen ? agent.branches.diffPage(proposal.id, { limit: SHOWN_MAX, signal }) : undefined,
    [proposal.id, isOpen, proposal.merged_count],
  );
  const read = useRef<DifferencePage>(undefined);
  read.current = value ?? read.current;
  const isDecided = decisions.value.some(
    (each) => each.proposal.id === proposal.id && each.state !== 'refused',
  );
  return (
    <section class="stack" aria-label={proposal.purpose ?? words.title}>
      <About proposal={proposal} />
      {!isOpen && read.current !== undefined ? (
        <p class="note warned">{isMissing ? words.missing : words.decidedElsewhere}</p>
      ) : undefined}
      {isDecided ? <p class="note">{words.isDecided}</p> : undefined}
      {failure === undefined ? undefined : <FailureNote failure={failure} />}
      {isOpen && value === undefined && failure === undefined ? <Loading /> : undefined}
      {isOpen && value !== undefined && !isDecided ? (
        <Decision key={value.digest} {...props} differences={value} />
      ) : read.current === undefined ? undefined : (
        <Differences differences={read.current.page.items} />
      )}
      {proposal.merged.length > 0 ? <MergedChanges proposal={proposal} /> : undefined}
      {proposal.state === 'rejected' && read.current === undefined ? (
        <p class="soft">{words.gone}</p>
      ) : undefined}
    </section>
  );
}

function About({ proposal }: Pick<DetailProps, 'proposal'>): JSX.Element {
  const {
    state,
    age_millis: age,
    reviewer,
    decided_at_millis: decided,
    purpose,
    reason,
  } = proposal;
  return (
    <div class="card">
      <div class="history-head">
        <h2 dir="auto">{proposal.author.subject_id}</h2>
        <span class="soft small">
          {state === 'proposed' ? (
            words.waits(ageText(age))
          ) : (
            <>
              {words.decided[state](reviewer?.subject_id ?? '')}{' '}
              {decided === null ? undefined : <Time millis={decided} />}
            </>
          )}
        </span>
      </div>
      {purpose === null ? undefined : <p dir="auto">{purpose}</p>}
      {reason === null ? undefined : (
        <p class="note">
          {words.reason}: <bdi>{reason}</bdi>
        </p>
      )}
      <p class="row small">
        {proposal.scopes.map((scope) => (
          <ScopeLink key={JSON.stringify(scope)} scope={scope} subjectId={undefined} />
        ))}
      </p>
    </div>
  );
}

/** No person reviews what they proposed themselves. */
function mayDecide({ caller, proposal }: Pick<DetailProps, 'caller' | 'proposal'>): boolean {
  const own = caller.credential?.spec.subject_id;
  return may(caller, 'memory_review') && proposal.author.subject_id !== own;
}

function Decision(props: DetailProps & { readonly differences: DifferencePage }): JSX.Element {
  const { proposal, differences, onDecided } = props;
  const { items } = differences.page;
  const [left, setLeft] = useState<readonly string[]>([]);
  const [isRejecting, setRejecting] = useState(false);
  const kept = items.filter(({ record_id: id }) => !left.includes(id));
  const take = (verdict: Verdict): void => {
    decide(proposal, verdict);
    onDecided();
  };
  const accept = (): void => {
    const ids = [...new Set(kept.map(({ record_id: id }) => id))];
    const records = left.length === 0 ? undefined : ids;
    take({ kind: 'accept', digest: differences.digest, records });
  };
  const decides = mayDecide(props);
  return (
    <>
      <Differences
        differences={items}
        left={left}
        {...(decides && items.length > 1 ? { onLeave: setLeft } : {})}
      />
      {decides ? (
        <div class="row decision">
          <button
            type="button"
            class="main"
            data-key="a"
            disabled={kept.length === 0}
            // The second click of a double click is meant for this proposal, not for the next one.
            onClick={(event) => (event.detail > 1 ? undefined : accept())}
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
          onLeave={() => setRejecting(false)}
          onReject={(reason) => take({ kind: 'reject', reason })}
        />
      ) : undefined}
    </>
  );
}
