import { useLocation, useRouter } from '@tanstack/react-router';
import { useMemo, type MouseEvent, type SyntheticEvent } from 'react';
import { idOfRowLink } from './row-link.ts';

/**
 * The links of all rows, kept by the table at once: the router's own link, once a row, costs more than all else in it.
 * They lead where that would, by its rules: the list's state stays in the address, what is pointed at is fetched ahead,
 * and what the browser does with a click by itself, such as opening a tab, is left to it.
 */
export function useRowLinks() {
  const router = useRouter();
  const search = useLocation({ select: ({ searchStr }) => searchStr });
  return useMemo(() => {
    const to = (id: number) => ({ to: '/subscribers/$id', params: { id }, search: true }) as const;
    const fetchAhead = (event: SyntheticEvent) => {
      const id = idOfRowLink(event.target);
      // A row that cannot be fetched says so when it is opened.
      if (id !== null) router.preloadRoute(to(id)).catch(() => undefined);
    };
    return {
      hrefOf: (id: number) => router.history.createHref(`/subscribers/${id}${search}`),
      fetchAhead,
      open: (event: MouseEvent) => {
        const id = idOfRowLink(event.target);
        if (id === null) openByRow(event);
        else if (isPlain(event)) {
          event.preventDefault();
          void router.navigate({ ...to(id), resetScroll: false });
        }
      },
    };
  }, [router, search]);
}

const isPlain = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey;

/** A click anywhere in a row is one on its link, modifier keys included; selecting text is none. */
function openByRow({ target, nativeEvent }: MouseEvent): void {
  if (getSelection()?.isCollapsed === false || !(target instanceof Element)) return;
  const link = target.closest('tr')?.querySelector('th > a');
  link?.dispatchEvent(new window.MouseEvent('click', nativeEvent));
}
