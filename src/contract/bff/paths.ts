/** The base paths of the BFF: for the service's operations, and for its own. */
export const apiBase = '/api';
export const bffBase = '/bff';

/** A header of every `/api` and `/bff` request. A page of another origin cannot send it without a CORS preflight. */
export const csrfHeader = { name: 'X-CSRF', value: '1' } as const;

/** A header of requests that the page makes by itself, while nobody uses it: they do not keep the session. */
export const unattendedHeader = { name: 'X-Unattended', value: '1' } as const;

export const sessionPath = `${bffBase}/session`;
export const subscribersPath = '/subscribers';

/**
 * The operations that the dashboard needs first. Their rows in the tables also have schemas, which with zod would make the
 * first script a tenth larger.
 */
export const firstReads = {
  service: {
    listSubscribers: { method: 'GET', path: subscribersPath },
    getSubscriber: { method: 'GET', path: `${subscribersPath}/{id}` },
    listStatuses: { method: 'GET', path: '/subscriber-statuses' },
  },
  bff: {
    getSession: { method: 'GET', path: sessionPath },
    getSignInWays: { method: 'GET', path: `${bffBase}/sign-in-ways` },
    listViews: { method: 'GET', path: `${bffBase}/views` },
  },
} as const;

/** Where to go after sign-in: always a path of this origin, never another site (CWE-601). */
export function returnPath(path: string | undefined, origin: string): string {
  if (!path?.startsWith('/')) return '/';
  const url = URL.parse(path, origin);
  // `/.//evil.example` is a path of this origin, but parsed again its text names another host.
  if (url?.origin !== origin || url.pathname.startsWith('//')) return '/';
  return `${url.pathname}${url.search}${url.hash}`;
}
