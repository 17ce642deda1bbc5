type Fetch = (request: Request, from?: { address: string }) => Promise<Response>;

/**
 * A browser between a page and its host, as far as signing in needs one: it keeps cookies that no script sees, and
 * adds what it says of a request on its own.
 */
export function createBrowser(host: Fetch): (request: Request) => Promise<Response> {
  const cookies = new Map<string, string>();
  return async (request) => {
    const sent = new Request(request);
    sent.headers.set('Host', location.host);
    sent.headers.set('Sec-Fetch-Site', 'same-origin');
    if (request.method !== 'GET') sent.headers.set('Origin', location.origin);
    if (cookies.size > 0) sent.headers.set('Cookie', [...cookies].map((pair) => pair.join('=')).join('; '));
    const answer = await host(sent, { address: '127.0.0.1' });
    for (const cookie of answer.headers.getSetCookie()) keep(cookies, cookie);
    const headers = new Headers(answer.headers);
    headers.delete('Set-Cookie');
    return new Response(answer.body, { status: answer.status, headers });
  };
}

function keep(cookies: Map<string, string>, cookie: string): void {
  const [pair = '', ...attributes] = cookie.split(';').map((part) => part.trim());
  const [name = '', value = ''] = pair.split('=');
  if (attributes.includes('Max-Age=0')) cookies.delete(name);
  else cookies.set(name, value);
}
