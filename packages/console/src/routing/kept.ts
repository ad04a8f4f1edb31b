/** What "back" shows again: values by the place in the history at which they were shown. */

/** Places that are kept; what was shown at older ones is loaded anew. */
const PLACES_MAX = 30;

const places = new Map<number, Map<string, unknown>>();

/** Keeps a value of a place. */
export function keep(place: number, name: string, value: unknown): void {
  const values = places.get(place) ?? new Map<string, unknown>();
  places.delete(place);
  places.set(place, values.set(name, value));
  for (const oldest of places.keys()) {
    if (places.size <= PLACES_MAX) break;
    places.delete(oldest);
  }
}

/** Returns the value of a place that {@link keep} was given under the same name. */
export function keptAt(place: number, name: string): unknown {
  return places.get(place)?.get(name);
}

/** Forgets a place that shows something else from now on. */
export function forgetPlace(place: number): void {
  places.delete(place);
}

/** Forgets the places to which "forward" no longer leads. */
export function forgetPlacesFrom(place: number): void {
  for (const each of [...places.keys()]) if (each >= place) places.delete(each);
}

/** Forgets all places, since another person may sign in. */
export function forgetPlaces(): void {
  places.clear();
}
