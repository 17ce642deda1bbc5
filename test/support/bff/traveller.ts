import { publicUrl } from './desk.ts';
import { ask } from './browser.ts';

type Fetch = (request: Request) => Promise<Response>;

interface Cookie {
  name: string;
  value: string;
  path: string;
  strict: boolean;
}

export type Traveller = ReturnType<typeof createTraveller>;

/**
 * A browser that goes from the desk to the provider and back: it follows redirects, and keeps the cookies of each
 * host. Where a way has come by another site, it leaves the desk's Strict cookies at home, as browsers do.
 */
export function createTraveller(desk: Fetch) {
  const jars = new Map<string, Map<string, Cookie>>();
  const visited: string[] = [];
  let replica = desk;

  async function load(url: URL, site: 'none' | 'same-origin' | 'cross-site'): Promise<Response> {
    visited.push(url.href);
    const jar = jars.get(url.host) ?? new Map<string, Cookie>();
    jars.set(url.host, jar);
    const sent = [...jar.values()].filter(
      ({ path, strict }) => url.pathname.startsWith(path) && !(strict && site === 'cross-site'),
    );
    const headers = {
      Cookie: sent.map(({ name, value }) => `${name}=${value}`).join('; '),
      'Sec-Fetch-Site': site,
      'Sec-Fetch-Mode': 'navigate',
      'Sec-Fetch-Dest': 'document',
    };
    const answer = await (url.origin === publicUrl
      ? replica(new Request(url, { headers }))
      : fetch(url, { headers, redirect: 'manual' }));
    for (const cookie of answer.headers.getSetCookie()) keep(jar, cookie);
    return answer;
  }

  /** Goes to an address and on, until something is no redirect, or is at an address that the test wants to stop at. */
  async function go(
    to: string,
    stop: (url: URL) => boolean = () => false,
    site: 'none' | 'same-origin' | 'cross-site' = 'same-origin',
  ): Promise<{ url: URL; answer: Response | null }> {
    let url = new URL(to, publicUrl);
    let from = site;
    for (let turn = 0; turn < 20; turn += 1) {
      if (stop(url)) return { url, answer: null };
      const answer = await load(url, from);
      const next = answer.headers.get('Location');
      if (next === null) return { url, answer };
      const there = new URL(next, url);
      if (there.origin !== url.origin) from = 'cross-site';
      url = there;
    }
    throw new Error('The redirects do not end.');
  }

  const cookieFor = (url: string) =>
    [...(jars.get(new URL(url).host)?.values() ?? [])]
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');

  return {
    go,
    visited,
    /** Which desk answers from now on. */
    use: (other: Fetch) => void (replica = other),
    /** What the page asks the desk for, with all cookies. */
    ask: (method: string, path: string, body?: unknown) =>
      replica(ask(method, path, { body, headers: { Cookie: cookieFor(publicUrl) } })),
    cookies: () => cookieFor(publicUrl),
  };
}

function keep(jar: Map<string, Cookie>, text: string): void {
  const [pair = '', ...attributes] = text.split(';').map((part) => part.trim());
  const [name = '', value = ''] = pair.split('=');
  const path = attributes.find((one) => /^path=/i.test(one))?.slice('path='.length) ?? '/';
  const gone = attributes.some((one) => /^max-age=0$|^expires=thu, 01 jan 1970/i.test(one));
  // One name may stand for several paths.
  const key = `${name} ${path}`;
  if (gone) jar.delete(key);
  else jar.set(key, { name, value, path, strict: attributes.some((one) => /^samesite=strict$/i.test(one)) });
}
