import { useEffect, useEffectEvent, useRef } from 'react';

/** Long enough that a word is one request, short enough to feel immediate; in ms. */
const pause = 180;

/**
 * Lets the filter in the address follow what is typed into a search box, a moment after the last key. Back, a view or Clear
 * filters change the address, too: then the box gets the text of the address. What the user is typing wins.
 *
 * @param filter.present the text for the filter that is in the address
 * @param filter.next the text for the filter that what is typed stands for; empty for none
 * @param filter.apply puts `next` into the address
 * @param filter.replace replaces what is in the box
 * @returns applies what is typed without waiting for the moment
 */
export function useTypedFilter(filter: {
  present: string;
  next: string;
  apply: () => void;
  replace: (text: string) => void;
}): () => void {
  const { present, next, apply } = filter;
  const sent = useRef(present);
  const replaceText = useEffectEvent(filter.replace);
  useEffect(() => {
    if (present === sent.current) return;
    sent.current = present;
    replaceText(present);
  }, [present]);

  function applyNow(): void {
    if (next === sent.current) return;
    sent.current = next;
    apply();
  }
  useEffect(() => {
    if (next === sent.current) return;
    const timer = setTimeout(applyNow, pause);
    return () => clearTimeout(timer);
  });
  return applyNow;
}
