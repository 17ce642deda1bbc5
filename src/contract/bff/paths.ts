/** What the paths hang off at which the desk offers the service's operations, and its own. */
export const apiBase = '/api';
export const deskBase = '/bff';

/** Every `/api` and `/bff` request carries it: a page of another origin cannot send it unasked. */
export const csrfHeader = { name: 'X-CSRF', value: '1' } as const;

/** What the page asks before anything else; apart from the tables, which bring their shapes along. */
export const sessionPath = `${deskBase}/session`;
export const subscribersPath = '/subscribers';
