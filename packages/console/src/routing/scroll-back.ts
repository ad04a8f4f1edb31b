/** Scrolls the page to where it was, as soon as it is long enough again. */

/** After that, what is still loading no longer moves the page. */
const LONGEST_MS = 5_000;

/** Ways of a person to scroll, which end it. */
const OWN_WAYS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

let end = (): void => undefined;

/** Scrolls to a distance from the top, in pixels. */
export function scrollBackTo(top: number): void {
  end();
  const observer = new ResizeObserver(() => scrollTo(0, top));
  const timer = setTimeout(() => end(), LONGEST_MS);
  end = (): void => {
    observer.disconnect();
    clearTimeout(timer);
    for (const way of OWN_WAYS) removeEventListener(way, end);
    end = (): void => undefined;
  };
  for (const way of OWN_WAYS) addEventListener(way, end, { passive: true });
  // The first call comes with the next frame, when the page shows its new address.
  observer.observe(document.body);
}

/** Leaves the page where it is. */
export function stopScrollingBack(): void {
  end();
}
