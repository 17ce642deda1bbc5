import { apiBase, csrfHeader } from '../../../src/contract/bff/paths.ts';
import { bffApi } from '../../../src/contract/bff/api.ts';
import type { Figure } from '../app/report.ts';
import type { Child } from '../child.ts';
import type { Usage } from '../subject.ts';

/** The headers of our own page's requests. */
export const own = { [csrfHeader.name]: csrfHeader.value, 'Sec-Fetch-Site': 'same-origin' };

interface SignIn {
  /** Of `/api`. */
  base: string;
  name: string;
  password: string;
  address: string;
  cookie?: string;
  signal?: AbortSignal;
}

function send({ base, name, password, address, cookie, signal }: SignIn): Promise<Response> {
  const { method, path } = bffApi.signIn;
  return fetch(`${base.slice(0, -apiBase.length)}${path}`, {
    method,
    headers: {
      ...own,
      'Content-Type': 'application/json',
      'X-Forwarded-For': address,
      ...(cookie !== undefined && { Cookie: cookie }),
    },
    body: JSON.stringify({ name, password }),
    ...(signal && { signal }),
  });
}

/** Signs in, and tries again when the answer says so, as a person does. */
export async function signIn(given: SignIn): Promise<Response> {
  for (;;) {
    const answer = await send(given);
    await answer.arrayBuffer();
    if (answer.ok) return answer;
    const wait = Number(answer.headers.get('Retry-After'));
    if (answer.status !== 503 || !(wait > 0))
      throw new Error(`A sign-in was answered with ${answer.status}.`);
    await pause(wait * 1000);
  }
}

/** So many strangers try passwords, each of them again and again; half of them hang up after 30 ms. */
const strangers = { addresses: 100, perSecond: 50, patience: 30 };

/**
 * How long sign-ins take while strangers try passwords from rotating addresses, and what that costs in memory.
 *
 * @param seconds how long they try
 */
export async function whileStrangersTry(
  bff: Child,
  account: Pick<SignIn, 'base' | 'name' | 'password'>,
  seconds: number,
): Promise<Figure[]> {
  const first = await signIn({ ...account, address: '203.0.113.1' });
  const cookie = first.headers
    .getSetCookie()
    .map((text) => text.split(';')[0])
    .join('; ');
  const before = await bff.ask<Usage>({ collect: true });
  const over = new AbortController();
  const flood = keepTrying(account.base, over.signal);
  // Until all their addresses have tried something wrong.
  await pause(4000);
  const times = { known: [] as number[], unknown: [] as number[] };
  const end = performance.now() + seconds * 1000;
  for (let turn = 1; performance.now() < end; turn += 1) {
    const address = `203.0.113.${turn % 250}`;
    const [known, unknown] = await Promise.all([
      timeOf(() => signIn({ ...account, address, cookie })),
      timeOf(() => signIn({ ...account, address })),
    ]);
    times.known.push(known);
    times.unknown.push(unknown);
  }
  const during = await bff.ask<Usage>({ collect: true });
  over.abort();
  await flood;
  const megabytes = (during.rss - before.rss) / 1e6;
  return [
    {
      name: 'a known browser’s sign-in while strangers try',
      value: Math.max(...times.known),
      unit: 'ms',
      budget: 1000,
    },
    { name: 'an unknown one’s', value: Math.max(...times.unknown), unit: 'ms', budget: 5000 },
    { name: 'memory that this takes', value: Math.max(0, megabytes), unit: 'MB', budget: 64 },
  ];
}

async function keepTrying(base: string, over: AbortSignal): Promise<void> {
  const under = new Set<Promise<unknown>>();
  for (let count = 0; !over.aborted; count += 1) {
    const hangsUp = count % 2 === 0;
    const tried = send({
      base,
      name: `stranger-${count}`,
      password: 'a wrong password, tried',
      address: `198.51.100.${count % strangers.addresses}`,
      signal: hangsUp ? AbortSignal.any([over, AbortSignal.timeout(strangers.patience)]) : over,
    })
      .then((answer) => answer.arrayBuffer())
      .catch(() => undefined);
    under.add(tried);
    void tried.finally(() => under.delete(tried));
    await pause(1000 / strangers.perSecond);
  }
  await Promise.all(under);
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
