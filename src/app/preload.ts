// A separate script that the browser runs while the dashboard's code is loading. Keep its imports tiny.
import type { pageSizes } from '../contract/service/list-rules.ts';
import { apiBase, csrfHeader, sessionPath, subscribersPath } from '../contract/bff/paths.ts';
import { locale } from './components/locale.ts';
import { listParameters, pageSizeKey } from './subscriber/list-parameters.ts';

interface Preloaded {
  answer: Promise<Response>;
  /** By the page's clock, in ms. */
  requestedAt: number;
}

/** Answers to requests that were sent before the dashboard's code was loaded, by URL. */
export type PreloadedAnswers = Map<string, Preloaded>;

/** After this long, in ms, an unused answer may be out of date. */
const maxAge = 10_000;

/** Answers that this script has requested. Nothing in tests, or in the demo, whose BFF does not run yet. */
export const preloadedAnswers: PreloadedAnswers =
  import.meta.env.MODE === 'production' ? preloadFirstView(location) : new Map();
if (import.meta.env.MODE === 'production') setTimeout(loadLanguageData);

/**
 * Requests what the first view will show. It reads addresses in the simplest way. If the dashboard reads one
 * differently, it does not use the answer and sends its own request.
 */
export function preloadFirstView({
  origin,
  pathname,
  search,
}: Pick<URL, 'origin' | 'pathname' | 'search'>): PreloadedAnswers {
  const answers: PreloadedAnswers = new Map();
  if (pathname === '/sign-in') return answers;
  preload(answers, `${origin}${sessionPath}`);
  // The list, with or without a subscriber open beside it.
  const parameters = /^\/subscribers(\/\d+)?$/.test(pathname) ? readParameters(search) : null;
  if (parameters !== null) preload(answers, `${origin}${apiBase}${subscribersPath}${parameters}`);
  return answers;
}

function preload(answers: PreloadedAnswers, url: string): void {
  const headers = { Accept: 'application/json', [csrfHeader.name]: csrfHeader.value };
  // Read to the end, so that the connection is free even if nothing uses the answer.
  const answer = fetch(url, { headers }).then(
    async (response) => new Response(await response.arrayBuffer(), response),
  );
  // The error matters only to the code that uses the answer.
  answer.catch(() => undefined);
  answers.set(url, { answer, requestedAt: performance.now() });
}

/** The query to request; null if the address alone does not say it. */
function readParameters(search: string): string | null {
  const address = new URLSearchParams(search);
  // Some services do not have these filters.
  const isSpecial = ['statuses', 'trial', 'expiresFrom', 'expiresTo'].some((name) => address.has(name));
  if (isSpecial || address.get('expired') === 'false') return null;
  const storedSize = storedPageSize();
  if (storedSize !== null && !address.has('pageSize')) address.set('pageSize', storedSize);
  // Addresses name it beside the page; the dashboard does not ask for what is usual.
  if (address.get('pageSize') === usualSize) address.delete('pageSize');
  const given = Object.entries(listParameters).flatMap(([name, parameter]) => {
    const value = address.get(name);
    return value === null ? [] : [[parameter, value]];
  });
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}

const usualSize: `${typeof pageSizes.usual}` = '25';

function storedPageSize(): string | null {
  try {
    return localStorage.getItem(pageSizeKey);
  } catch {
    return null;
  }
}

/** The preloaded answer to a request, once; undefined if the request has to be sent. */
export function takePreloaded(
  answers: PreloadedAnswers,
  { method, url }: Request,
): Promise<Response> | undefined {
  const found = method === 'GET' ? answers.get(url) : undefined;
  answers.delete(url);
  return found && performance.now() - found.requestedAt <= maxAge ? found.answer : undefined;
}

/**
 * Makes the browser load its data for dates and numbers while the dashboard's code is loading, because the first use of
 * each format waits for it. Without this, the first row comes 6 % later on a slow phone (processor ÷ 4, 1.6 Mbit/s;
 * median of 22 interleaved visits).
 */
function loadLanguageData(): void {
  new Intl.NumberFormat(locale).format(0);
  new Intl.RelativeTimeFormat(locale).format(0, 'day');
  new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(0);
}
