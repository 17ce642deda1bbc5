import { CookieJar } from 'tough-cookie';
import type { BffDeps } from '../../../src/bff/http/bff.ts';
import { createTestDesk } from '../desk.ts';
import { ask, publicUrl } from './browser.ts';
import { whenOver } from '../setup/database.ts';
import { openIdClient, openProvider } from './openid-provider.ts';

type Interceptor = (request: Request, goOn: () => Promise<Response>) => Promise<Response>;

/** Settings of a test. */
interface Options {
  roleClaim?: string;
  scope?: string;
  clientSecret?: string;
  claimsInIdToken?: boolean;
  refreshTokens?: boolean;
  /** True if the provider tells the BFF by itself that somebody signed out there. */
  backChannel?: boolean;
}

/** A desk with a real OpenID provider, and the browser of a user who has an account there. */
export async function openSingleSignOn(options: Options = {}, roles: unknown = ['viewer']) {
  const { backChannel: hasBackChannel = false, ...others } = options;
  const backChannel: { answers: Response[]; fetch: (request: Request) => Promise<Response> } = {
    answers: [],
    async fetch(request) {
      const answer = await bff.fetch(request);
      backChannel.answers.push(answer);
      return answer;
    },
  };
  const provider = await openProvider({
    publicUrl,
    ...others,
    ...(hasBackChannel && { backChannel: (request) => backChannel.fetch(request) }),
  });
  whenOver(async () => provider.close());
  provider.people['sub-1'] = { preferred_username: 'canary-kari', roles };
  const requested: string[] = [];
  const fault: { intercept: Interceptor } = { intercept: (_, goOn) => goOn() };
  const singleSignOn: NonNullable<BffDeps['singleSignOn']> = {
    issuer: provider.issuer,
    clientId: openIdClient.id,
    clientSecret: options.clientSecret ?? openIdClient.secret,
    roleClaim: options.roleClaim ?? 'roles',
    tokenKey: 'canary-token-key'.padEnd(43, '-'),
    ...(options.scope !== undefined && { scope: options.scope }),
    fetch: (request) => {
      requested.push(new URL(request.url).pathname);
      return fault.intercept(request, () => fetch(request));
    },
  };
  const bff = await createTestDesk({ service: 'canned', singleSignOn });
  // The provider has no other clock than the machine's.
  if (hasBackChannel) bff.time.now = Date.now();
  return {
    ...bff,
    backChannel,
    singleSignOn,
    provider,
    /** The paths of requests to the provider. */
    requested,
    fault,
    browser: openBrowser(bff.fetch),
    /** Puts another ID token into the provider's answers; it is given the right one. */
    exchangeIdToken(change: (claims: Record<string, unknown>, token: string) => Promise<string>) {
      fault.intercept = async (request, goOn) => {
        const answer = await goOn();
        if (!request.url.endsWith('/token')) return answer;
        const reported: { id_token: string } = await answer.json();
        const claims = JSON.parse(Buffer.from(reported.id_token.split('.')[1] ?? '', 'base64url').toString());
        return Response.json({ ...reported, id_token: await change(claims, reported.id_token) });
      };
    },
    accounts: () =>
      bff.db.selectFrom('staff').selectAll().where('issuer', 'is not', null).orderBy('name').execute(),
  };
}

export type SingleSignOnBff = Awaited<ReturnType<typeof openSingleSignOn>>;

/** The answer of a provider that cannot be reached. */
export const refuseConnection = () =>
  Promise.reject(Object.assign(new Error('canary-words'), { code: 'ECONNREFUSED' }));

/** Signs in at the provider and comes back; returns the address where that ended. */
export async function signInByProvider(browser: Browser, login = 'sub-1', to = '/subscribers?expired=true') {
  const { url } = await goToCallback(browser, login, to);
  return (await browser.go(url.href, undefined, 'cross-site')).url;
}

/** Goes to the provider, whose page is not loaded; returns where the browser was sent. */
export const goToProvider = async (browser: Browser) =>
  (await browser.go('/bff/oidc/start', ({ origin }) => origin !== publicUrl)).url;

/** Comes back from the provider with an address; returns the code of what went wrong, or where that ended. */
export const comeBack = async (browser: Browser, url: URL) =>
  problemAt((await browser.go(url.href, undefined, 'cross-site')).url);

export const isInteraction = ({ pathname }: URL) => pathname.startsWith('/interaction/');
const isCallback = ({ pathname }: URL) => pathname === '/bff/oidc/callback';

/** Signs in at the provider; returns our callback's address, to which the browser has not gone yet. */
export async function goToCallback(browser: Browser, login = 'sub-1', to = '/subscribers?expired=true') {
  const start = `/bff/oidc/start?${new URLSearchParams({ to })}`;
  const stopped = await browser.go(start, (url) => isInteraction(url) || isCallback(url));
  // A user who is already signed in at the provider is sent back at once.
  if (!isInteraction(stopped.url)) return stopped;
  return browser.go(`${stopped.url.href}?login=${login}`, isCallback);
}

/** The code of the sign-in page's address. */
export const problemAt = (url: URL) =>
  url.pathname === '/sign-in' ? url.searchParams.get('problem') : url.href;

type Fetch = (request: Request) => Promise<Response>;

export type Browser = ReturnType<typeof openBrowser>;

/**
 * A browser that goes to the provider and back: it follows redirects, and keeps cookies. It sends no
 * Strict cookie with a navigation that came from another site, as browsers do.
 */
export function openBrowser(bff: Fetch) {
  const jar = new CookieJar();
  const visited: string[] = [];
  let replica = bff;

  async function load(url: URL, site: 'none' | 'same-origin' | 'cross-site'): Promise<Response> {
    visited.push(url.href);
    const sameSiteContext = site === 'cross-site' ? 'lax' : 'strict';
    const headers = {
      Cookie: await jar.getCookieString(url.href, { sameSiteContext }),
      'Sec-Fetch-Site': site,
      'Sec-Fetch-Mode': 'navigate',
      'Sec-Fetch-Dest': 'document',
    };
    const answer = await (url.origin === publicUrl
      ? replica(new Request(url, { headers }))
      : fetch(url, { headers, redirect: 'manual' }));
    for (const cookie of answer.headers.getSetCookie()) await jar.setCookie(cookie, url.href);
    return answer;
  }

  /** Follows redirects from an address until an answer is none, or until an address at which the test stops. */
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

  /** Signs out at the provider, which asks before it does. */
  async function signOutAt(issuer: string): Promise<void> {
    const { answer } = await go(`${issuer}/session/end?client_id=${openIdClient.id}`, undefined, 'none');
    const xsrf = /name="xsrf" value="(\w+)"/.exec((await answer?.text()) ?? '')?.[1] ?? '';
    const confirm = `${issuer}/session/end/confirm`;
    const confirmed = await fetch(confirm, {
      method: 'POST',
      redirect: 'manual',
      headers: { Cookie: await jar.getCookieString(confirm) },
      body: new URLSearchParams({ xsrf, logout: 'yes' }),
    });
    if (confirmed.status !== 303) throw new Error(`Signing out there was answered with ${confirmed.status}.`);
  }

  return {
    go,
    signOutAt,
    visited,
    /** From now on another replica answers. */
    use: (other: Fetch) => void (replica = other),
    /** A request of the page, with all cookies. */
    ask: (method: string, path: string, body?: unknown) =>
      replica(ask(method, path, { body, headers: { Cookie: jar.getCookieStringSync(publicUrl + path) } })),
    cookies: () => jar.getCookieStringSync(publicUrl),
  };
}

/** Gives Kari the job of the sample, which another server runs. @returns a function for why it is paused; null if it is not */
export async function giveJob({ db }: Pick<SingleSignOnBff, 'db'>) {
  const kari = db.selectFrom('staff').select('id').where('subject', '=', 'sub-1');
  await db
    .updateTable('jobs')
    .set({ state: 'running', staff_id: kari, lease_until: Number.MAX_SAFE_INTEGER })
    .execute();
  return async () => (await db.selectFrom('jobs').select('pause').executeTakeFirstOrThrow()).pause;
}
