/** One branch: what it changed, and its merge. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Confirm } from '../../parts/confirm.js';
import { Empty, FailureNote, Loading } from '../../parts/notes.js';
import { Screen } from '../../parts/screen.js';
import { pathOf } from '../../routing/address.js';
import { Link } from '../../routing/link.js';
import { go } from '../../routing/router.js';
import { type Caller, may } from '../../session/caller.js';
import { useAction, useLoaded } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';
import { Differences } from '../review/differences.js';

const words = texts.branchesScreen;
const SHOWN_MAX = 100;

/** Shows a branch. */
export function BranchDetail(props: { readonly caller: Caller; readonly id: string }): JSX.Element {
  const { caller, id } = props;
  const [left, setLeft] = useState<readonly string[]>([]);
  const [outcome, setOutcome] = useState<'merged' | 'conflicts'>();
  const { value, failure } = useLoaded(
    async (agent, signal) => {
      const [branch, differences] = await Promise.all([
        agent.branches.get(id, { signal }),
        agent.branches.diffPage(id, { limit: SHOWN_MAX, signal }),
      ]);
      return { branch, differences };
    },
    [id, outcome],
  );
  const items = value?.differences.page.items ?? [];
  const merge = useAction(async (agent) => {
    if (value === undefined) return;
    const kept = items.map((each) => each.record_id).filter((each) => !left.includes(each));
    const some = left.length === 0 ? {} : { records: kept };
    const { state } = await agent.branches.merge(id, { digest: value.differences.digest, ...some });
    setOutcome(state === 'merged' ? 'merged' : 'conflicts');
  });
  const mayMerge = may(caller, 'memory_write');
  return (
    <Screen
      title={value?.branch.name ?? words.title}
      above={<Link to={pathOf('branches')}>{words.back}</Link>}
      about={value?.branch.purpose ?? undefined}
      actions={mayMerge && value !== undefined ? <DropBranch id={id} /> : undefined}
    >
      {failure === undefined ? undefined : <FailureNote failure={failure} />}
      {value === undefined && failure === undefined ? <Loading /> : undefined}
      {value !== undefined && items.length === 0 ? (
        <Empty title={words.same} text={words.about} />
      ) : undefined}
      <Differences
        differences={items}
        left={left}
        {...(mayMerge && items.length > 1 ? { onLeave: setLeft } : {})}
      />
      <p role="status">
        {outcome === 'merged' ? <span class="tag good">{words.merged}</span> : undefined}
        {outcome === 'conflicts' ? texts.review.stopped : undefined}
      </p>
      <FailureNote failure={merge.failure} />
      {mayMerge && items.length > left.length ? (
        <div class="row">
          <button type="button" class="main" disabled={merge.isRunning} onClick={() => merge.run()}>
            {words.merge}
          </button>
        </div>
      ) : undefined}
    </Screen>
  );
}

function DropBranch({ id }: { readonly id: string }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const drop = useAction(async (agent) => {
    await agent.branches.drop(id);
    go(pathOf('branches'));
  });
  return (
    <>
      <button type="button" class="danger" onClick={() => setOpen(true)}>
        {words.drop}
      </button>
      {isOpen ? (
        <Confirm
          {...{ title: words.dropTitle, verb: words.drop, act: drop }}
          onLeave={() => setOpen(false)}
        >
          <p>{words.dropText}</p>
        </Confirm>
      ) : undefined}
    </>
  );
}
