/** Finds out whether something was typed or chosen in a part of the page, and not taken back. */

type Typed = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Fields with what they said before a person came to them. */
export class TypedFields {
  readonly #before = new Map<Typed, string>();

  /** Notes what a field says, when the focus, a pointer or a dropped file comes to it. */
  note(target: EventTarget | null): void {
    const field = fieldOf(target);
    if (field === undefined || this.#before.has(field)) return;
    this.#before.set(field, field.type === 'file' ? '' : valueOf(field));
  }

  /** Returns whether a field that is still there says something else. */
  get isChanged(): boolean {
    return [...this.#before].some(
      ([field, value]) => field.isConnected && valueOf(field) !== value,
    );
  }
}

function fieldOf(target: EventTarget | null): Typed | undefined {
  const isField =
    target instanceof HTMLInputElement ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement;
  if (isField) return target;
  // A press on a label reaches its field as a second one.
  const control = target instanceof Element ? target.closest('label')?.control : null;
  return control === null || control === undefined ? undefined : fieldOf(control);
}

function valueOf(field: Typed): string {
  const isBox =
    field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio');
  return isBox ? String(field.checked) : field.value;
}
