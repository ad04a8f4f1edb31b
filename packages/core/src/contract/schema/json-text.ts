/** A document that is printed already. */

/** What `JSON.stringify` makes of a document. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}
