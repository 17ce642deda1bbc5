import { apiBase, csrfHeader, sessionPath, subscribersPath } from '../contract/bff/paths.ts';
import { askEarly } from './api/preload.ts';
import { listParameters, pageSizeKey } from './subscribers/list-parameters.ts';

/**
 * Asks for what the first screen will show while the dashboard's code is still loading. It knows only what an address
 * plainly says: where the dashboard reads it otherwise, this was asked in vain and the dashboard asks again.
 */
export function sendFirstRequests({
  origin,
  pathname,
  search,
}: Pick<URL, 'origin' | 'pathname' | 'search'>): void {
  const headers = { [csrfHeader.name]: csrfHeader.value };
  if (pathname === '/sign-in') return;
  askEarly(`${origin}${sessionPath}`, headers);
  // The list, with or without a subscriber open beside it.
  const parameters = /^\/subscribers(\/\d+)?$/.test(pathname) ? readParameters(search) : null;
  if (parameters !== null) askEarly(`${origin}${apiBase}${subscribersPath}${parameters}`, headers);
}

/** Null where it takes more than the address to know what to ask. */
function readParameters(search: string): string | null {
  const address = new URLSearchParams(search);
  // Not every service has this filter.
  if (address.has('trial')) return null;
  const usualSize = keptPageSize();
  if (usualSize !== null && !address.has('pageSize')) address.set('pageSize', usualSize);
  const given = Object.entries(listParameters).flatMap(([name, parameter]) => {
    const value = address.get(name);
    return value === null ? [] : [[parameter, value]];
  });
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}

function keptPageSize(): string | null {
  try {
    return localStorage.getItem(pageSizeKey);
  } catch {
    return null;
  }
}
