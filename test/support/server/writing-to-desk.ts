import { changeHeaders } from '../../../src/contract/http/change-headers.ts';

/** Changes sent to a running desk by somebody who is signed in; answers the status, and the record where it was done. */
export function writeTo(url: string, cookie: string) {
  return async (method: string, path: string, body: unknown, key?: string) => {
    const answer = await fetch(url + path, {
      method,
      headers: {
        'X-CSRF': '1',
        Origin: url,
        Cookie: cookie,
        'Content-Type': 'application/json',
        ...(key !== undefined && { [changeHeaders.key]: key }),
      },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    return { status: answer.status, text, replayed: answer.headers.has(changeHeaders.replayed) };
  };
}

/** The body of a creation. */
export const newSubscriber = (username: string) => ({
  username,
  email: 'made@example.com',
  expiresAt: '2030-01-01T00:00:00.000Z',
});
