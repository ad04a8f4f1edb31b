/** Names that somebody else chose, as people can tell them apart. */
import type { JSX } from 'preact';

/** What people don't see, or what changes the order of what they see. */
const UNSEEN = /[\u{16fe4}\p{C}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]/gu;

/** Returns a name with what is not seen as escapes, such as `\u{200b}`. */
export function seenText(name: string): string {
  return name.replaceAll(UNSEEN, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
}

/** Shows a name, whose direction has no effect on the text around it. */
export function Name({ of: name }: { readonly of: string }): JSX.Element {
  return <bdi>{seenText(name)}</bdi>;
}

/** Characters of a text that is not cut, and of the end of one that is. */
const WHOLE = 48;
const END = 20;

/** Returns a text without its middle if it is long. */
export function cutMiddle(text: string): string {
  const characters = Array.from(graphemes.segment(text), ({ segment }) => segment);
  if (characters.length <= WHOLE) return text;
  const begin = characters.slice(0, WHOLE - END - 1).join('');
  return `${begin}…${characters.slice(-END).join('')}`;
}

const graphemes = new Intl.Segmenter();
