import { createBrowserHistory, type RouterHistory } from '@tanstack/react-router';
import { returnPath } from '../contract/bff/paths.ts';
import { atParameter, withoutLink } from './settings.ts';

/** What the address of the page says: where in the dashboard it is, and what is asked of the demo. */
export function readAddress(href: string, base: URL): { at: string; asked: URLSearchParams } {
  const url = new URL(href);
  const handed = url.searchParams.get(atParameter);
  const inside = `/${url.pathname.slice(base.pathname.length)}${url.search}${url.hash}`;
  // From elsewhere it could be anything; in the dashboard it is a local path or the beginning.
  const at = handed === null ? inside : returnPath(handed, url.origin);
  const asked = new URL(at, url.origin).searchParams;
  for (const [name, value] of url.searchParams) if (!asked.has(name)) asked.set(name, value);
  return { at: withoutLink(at), asked };
}

/** The browser's history for a dashboard that believes to be at the root of its host, wherever it is. */
export function createHistoryAt(base: URL): RouterHistory {
  const folder = base.pathname.slice(0, -1);
  return createBrowserHistory({
    parseLocation: () => {
      const { search, hash } = location;
      const pathname = location.pathname.slice(folder.length) || '/';
      // The history has put its own state there before it asks.
      const state = history.state as RouterHistory['location']['state'];
      return { href: `${pathname}${search}${hash}`, pathname, search, hash, state };
    },
    createHref: (path) => `${folder}${path}`,
  });
}
