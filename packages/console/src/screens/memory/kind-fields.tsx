/** The fields of the filters for types, sources and tags. */
import type { JSX } from 'preact';
import { CheckGroup } from '../../parts/check-group.js';
import { texts } from '../../texts/en/english.js';
import { ExpiredField, FieldGroup, FilterText, stated } from './filter-fields.js';
import { episodeTypes, sources, tagsOf } from './search-filter.js';

const words = texts.filters;

/** Shows the fields. */
export function KindFields(): JSX.Element {
  return (
    <>
      <FieldGroup title={words.kind}>
        <FilterText name="tags" hint={words.hints.tags} />
        <FilterText name="any_tag" hint={words.hints.tags} />
        <FilterText name="no_tag" hint={words.hints.tags} />
        <ExpiredField />
        <FilterText name="custom" hint={words.hints.tags} />
      </FieldGroup>
      <Checks name="type" choices={episodeTypes} />
      <Checks name="source" choices={sources} />
    </>
  );
}

function Checks(props: {
  readonly name: 'type' | 'source';
  readonly choices: readonly string[];
}): JSX.Element {
  const { name, choices } = props;
  const values = tagsOf(stated(name));
  return <CheckGroup label={words.fields[name]} {...{ name, choices, values }} />;
}
