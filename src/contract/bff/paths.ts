/** The base paths of the BFF: of the service's operations, and of its own. */
export const apiBase = '/api';
export const bffBase = '/bff';

/** Every `/api` and `/bff` request has it: a page of another origin cannot send it without a CORS preflight. */
export const csrfHeader = { name: 'X-CSRF', value: '1' } as const;

/** What the dashboard asks first. Not in the tables, because their schemas would make the first script larger. */
export const sessionPath = `${bffBase}/session`;
export const subscribersPath = '/subscribers';

/** Where to go after signing in: a path of this page or nothing, never another site (CWE-601). */
export function returnPath(asked: string | undefined, origin: string): string {
  if (!asked?.startsWith('/')) return '/';
  const url = URL.parse(asked, origin);
  // `/.//evil.example` is a path of this page whose text, parsed again, names another host.
  if (url?.origin !== origin || url.pathname.startsWith('//')) return '/';
  return `${url.pathname}${url.search}${url.hash}`;
}
