import { onTestFinished } from 'vitest';
import { createBff, type BffDeps } from '../../../src/bff/bff.ts';
import { createSeededRandom, openStaffedDesk, publicUrl } from './desk.ts';
import { openIdClient, openProvider } from './openid-provider.ts';
import { createTraveller, type Traveller } from './traveller.ts';

type Interceptor = (request: Request, goOn: () => Promise<Response>) => Promise<Response>;

/** What a test changes of the desk's side. */
export interface Options {
  roleClaim?: string;
  scope?: string;
  clientSecret?: string;
  claimsInIdToken?: boolean;
}

/** A desk before a real OpenID provider, and a traveller who has an account there. */
export async function openSingleSignOn(options: Options = {}, roles: unknown = ['viewer']) {
  const provider = await openProvider({ publicUrl, ...options });
  onTestFinished(provider.close);
  provider.people['sub-1'] = { preferred_username: 'canary-kari', roles };
  const asked: string[] = [];
  const fault: { intercept: Interceptor } = { intercept: (_, goOn) => goOn() };
  const singleSignOn: NonNullable<BffDeps['singleSignOn']> = {
    issuer: provider.issuer,
    clientId: openIdClient.id,
    clientSecret: options.clientSecret ?? openIdClient.secret,
    roleClaim: options.roleClaim ?? 'roles',
    ...(options.scope !== undefined && { scope: options.scope }),
    fetch: (request) => {
      asked.push(new URL(request.url).pathname);
      return fault.intercept(request, () => fetch(request));
    },
  };
  const desk = await openStaffedDesk({ singleSignOn });
  return {
    ...desk,
    singleSignOn,
    provider,
    /** What the desk asked the provider for. */
    asked,
    fault,
    traveller: createTraveller(desk.fetch),
    /** Another process of the same desk. */
    openReplica: () => createBff({ ...desk.deps, random: createSeededRandom(2) }),
    /** Puts another ID token into the provider's answers; it is given the right one. */
    exchangeIdToken(change: (claims: Record<string, unknown>, token: string) => Promise<string>) {
      fault.intercept = async (request, goOn) => {
        const answer = await goOn();
        if (!request.url.endsWith('/token')) return answer;
        const told: { id_token: string } = await answer.json();
        const claims = JSON.parse(Buffer.from(told.id_token.split('.')[1] ?? '', 'base64url').toString());
        return Response.json({ ...told, id_token: await change(claims, told.id_token) });
      };
    },
    accounts: () =>
      desk.db.selectFrom('staff').selectAll().where('issuer', 'is not', null).orderBy('name').execute(),
  };
}

export type SingleSignOnDesk = Awaited<ReturnType<typeof openSingleSignOn>>;

/** Goes all the way, signing in as somebody at the provider; answers where it led to. */
export async function travel(traveller: Traveller, login = 'sub-1', to = '/subscribers?expired=true') {
  const { url } = await arrive(traveller, login, to);
  return (await traveller.go(url.href, undefined, 'cross-site')).url;
}

export const isInteraction = ({ pathname }: URL) => pathname.startsWith('/interaction/');
const isCallback = ({ pathname }: URL) => pathname === '/bff/oidc/callback';

/** Goes to the provider and signs in there, up to the address that leads back to the desk. */
export async function arrive(traveller: Traveller, login = 'sub-1', to = '/subscribers?expired=true') {
  const start = `/bff/oidc/start?${new URLSearchParams({ to })}`;
  const stopped = await traveller.go(start, (url) => isInteraction(url) || isCallback(url));
  // Somebody who is signed in at the provider already is sent back at once.
  if (!isInteraction(stopped.url)) return stopped;
  return traveller.go(`${stopped.url.href}?login=${login}`, isCallback);
}

/** The code of the sign-in page's address. */
export const problemAt = (url: URL) =>
  url.pathname === '/sign-in' ? url.searchParams.get('problem') : url.href;
