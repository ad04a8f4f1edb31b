/** The decisions that can still be undone, and those that the server refused. */
import type { JSX } from 'preact';
import { FailureNote } from '../../parts/notes.js';
import { Link } from '../../routing/link.js';
import { texts } from '../../texts/en/english.js';
import {
  announcement,
  type Decision,
  decisions,
  forget,
  nameOf,
  sendNow,
  undo,
} from './decisions.js';
import { proposalPath } from './proposal-path.js';

const words = texts.review;

/** Shows them on every screen, and announces each. */
export function DecisionNotes(): JSX.Element {
  return (
    <>
      <p class="only-read" role="status">
        {announcement.value}
      </p>
      {decisions.value.length === 0 ? undefined : (
        <ul class="decisions plain-list" aria-label={words.decisions}>
          {decisions.value.map((decision) => (
            <li key={decision.proposal.id} class="card">
              {decision.state === 'refused' ? <Refused {...decision} /> : <Waiting {...decision} />}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Waiting({ proposal, verdict, state }: Decision): JSX.Element {
  const { id } = proposal;
  return (
    <div class="row">
      <span>{words.verdicts[verdict.kind](nameOf(proposal))}</span>
      {state === 'sending' ? (
        <span class="soft">{texts.loading}</span>
      ) : (
        <>
          <button type="button" class="main" onClick={() => undo(id)}>
            {words.undo}
          </button>
          <button type="button" onClick={() => sendNow(id)}>
            {words.sendNow}
          </button>
        </>
      )}
    </div>
  );
}

function Refused({ proposal, verdict, failure, note }: Decision): JSX.Element {
  return (
    <div class="stack-tight">
      <strong>{words.refused[verdict.kind](nameOf(proposal))}</strong>
      {failure === undefined ? undefined : <FailureNote failure={failure} />}
      {note === undefined ? undefined : (
        <p role="alert" class="note warned">
          {note}
        </p>
      )}
      {verdict.kind === 'reject' ? <p>{words.yourReason(verdict.reason)}</p> : undefined}
      <div class="row">
        <Link to={proposalPath(proposal.id)}>{words.openProposal}</Link>
        <button type="button" onClick={() => forget(proposal.id)}>
          {texts.close}
        </button>
      </div>
    </div>
  );
}
