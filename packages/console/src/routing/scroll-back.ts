/** Scrolls the page to where it was, as soon as it is long enough again. */

/** How long a list may take until it is there again. */
const LOADING_MAX_MS = 60_000;

/** After that, what is still loading no longer moves a page that was where it was. */
const SETTLING_MS = 5_000;

/** Ways of a person to scroll, which end it. */
const OWN_WAYS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

let end = (): void => undefined;

/** Scrolls to a distance from the top, in pixels. */
export function scrollBackTo(top: number): void {
  end();
  let timer = setTimeout(() => end(), LOADING_MAX_MS);
  let isThere = false;
  const observer = new ResizeObserver(() => {
    scrollTo(0, top);
    if (isThere || Math.abs(scrollY - top) >= 1) return;
    isThere = true;
    clearTimeout(timer);
    timer = setTimeout(() => end(), SETTLING_MS);
  });
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
