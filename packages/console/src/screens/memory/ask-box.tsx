/** The one box of a scope: a question recalls. */
import type { JSX } from 'preact';
import { textsOf } from '../../parts/field.js';
import { showQuery } from '../../routing/router.js';
import { texts } from '../../texts/en/english.js';

const words = texts.memory;

/** Shows the box. */
export function AskBox({ question }: { readonly question: string }): JSX.Element {
  return (
    <form
      class="ask"
      role="search"
      key={question}
      onSubmit={(event) => {
        showQuery({ q: textsOf(event)['q'] });
      }}
    >
      <input
        type="search"
        dir="auto"
        name="q"
        defaultValue={question}
        aria-label={words.ask}
        placeholder={words.askHint}
        autocomplete="off"
      />
      <button class="main" type="submit">
        {words.recall}
      </button>
      {question === '' ? undefined : (
        <button type="button" onClick={() => showQuery({ q: undefined })}>
          {words.clear}
        </button>
      )}
    </form>
  );
}
