/** Normal forms: lists in which equal values are equal, and different ones differ. */

/** A value that JSON spells in one way, because it holds no object. */
export type NormalValue = string | number | boolean | null | readonly NormalValue[];

/** Appends the normal form of a value: the same for equal values, another one for every other. */
export type NormalForm<T> = (value: T, list: NormalValue[]) => void;

/** A normal form for each member of an object; a missing one does not compile. */
export type NormalForms<T> = { readonly [K in keyof T]-?: NormalForm<T[K]> };

/** The normal form of a value that JSON spells in one way. */
export const asItIs: NormalForm<NormalValue> = (value, list) => {
  list.push(value);
};

/** Appends the normal forms of the members of an object, in the order of the table. */
export function appendMembers<T extends object>(
  forms: NormalForms<T>,
  value: T,
  list: NormalValue[],
): void {
  for (const name in forms) forms[name](value[name], list);
}

/** Returns the members of the table of which the normal forms differ. */
export function differingNames<T extends object>(
  forms: NormalForms<T>,
  one: T,
  other: T,
): (keyof T & string)[] {
  const textOf = (value: T, name: keyof T): string => {
    const list: NormalValue[] = [];
    forms[name](value[name], list);
    return JSON.stringify(list);
  };
  const names = Object.keys(forms) as (keyof T & string)[];
  return names.filter((name) => textOf(one, name) !== textOf(other, name));
}
