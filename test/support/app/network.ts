import { onTestFinished, vi } from 'vitest';
import { Problem } from '../../../src/contract/http/problem.ts';
import { toResponse, problemAnswer } from '../../../src/contract/http/answer.ts';
import { type ProblemCode, problems } from '../../../src/contract/http/problem-codes.ts';

type Fetch = (request: Request) => Promise<Response>;
/** Something that goes wrong on the way; null where it has nothing to do with a request. */
type Fault = (request: Request, goOn: () => Promise<Response>) => Promise<Response> | null;

/** A request by its method and its path with the query, such as `GET /api/subscribers?Page=2`. */
type Which = RegExp;

let faults: Fault[] = [];

/** The page's requests of a test, all answered by one BFF, and a record of them. */
export function connect(bff: Fetch) {
  const copies: Request[] = [];
  const requestIds: (string | null)[] = [];
  const underWay = new Set<Promise<Response>>();
  const allOf = (which: Which) => copies.filter((request) => which.test(nameOf(request)));
  vi.stubGlobal('fetch', async (...given: ConstructorParameters<typeof Request>) => {
    const request = new Request(...given);
    copies.push(request.clone());
    const answer = faults.reduceRight<() => Promise<Response>>(
      (goOn, fault) => () => fault(request, goOn) ?? goOn(),
      () => bff(request),
    )();
    underWay.add(answer);
    const over = () => void underWay.delete(answer);
    answer.then(({ headers }) => requestIds.push(headers.get('X-Request-Id'))).then(over, over);
    return Promise.race([answer, whenAborted(request.signal)]);
  });
  onTestFinished(async () => {
    faults = [];
    while (underWay.size > 0) await Promise.allSettled(underWay);
  });
  return {
    /** The names of the requests so far. */
    requested: (which: Which) => allOf(which).map(nameOf),
    /** The last request of a kind, as it was sent. */
    async sent(which: Which) {
      const last = allOf(which).at(-1);
      const text = (await last?.clone().text()) ?? '';
      return {
        ifMatch: last?.headers.get('If-Match'),
        reason: last?.headers.get('X-Change-Reason'),
        body: text === '' ? null : (JSON.parse(text) as unknown),
      };
    },
    requestIds,
    /** Keys of the requests of a kind, which make each count once. */
    keys: (which: Which) => allOf(which).map(({ headers }) => headers.get('Idempotency-Key')),
  };
}

/** Rejects as `fetch` does when its caller gives up; what the BFF does goes on. */
const whenAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason));
  });

const nameOf = (request: Request) => {
  const { pathname, search } = new URL(request.url);
  return `${request.method} ${pathname}${search}`;
};

function begin(which: Which, happen: (goOn: () => Promise<Response>) => Promise<Response>): () => void {
  const fault: Fault = (request, goOn) => (which.test(nameOf(request)) ? happen(goOn) : null);
  faults = [...faults, fault];
  return () => (faults = faults.filter((other) => other !== fault));
}

/** The connection breaks before a request gets through. @returns a function that ends this */
export const cutNetwork = (which: Which = /./) =>
  begin(which, () => Promise.reject(new TypeError('Failed to fetch')));

/** The BFF does what it is asked, and the connection breaks before its answer comes, so many times at most. */
export function loseAnswers(which: Which, most = Infinity): () => void {
  let lost = 0;
  return begin(which, async (goOn) => {
    const answer = await goOn();
    lost += 1;
    return lost > most ? answer : Promise.reject(new TypeError('Failed to fetch'));
  });
}

/** Something answers that does not fit the contract. */
export const garbleAnswers = (which: Which) => begin(which, async () => Response.json({ odd: true }));

/** A proxy answers in its own words that it has no such address. */
export const answerAsProxy = (which: Which) =>
  begin(which, async () => new Response('<h1>Not found</h1>', { status: 404 }));

/** The BFF answers with a problem, and does nothing. @returns a function that ends this */
export const refuseWith = (which: Which, code: ProblemCode, headers: Record<string, string> = {}) =>
  begin(which, async () =>
    toResponse(problemAnswer(new Problem(code, problems[code][1], { headers }), 'k3v9-52aa')),
  );

/** Answers say what time it is at the server, in ms since the epoch. */
export const tellTime = (at: number) =>
  begin(/./, async (goOn) => {
    const answer = await goOn();
    answer.headers.set('Date', new Date(at).toUTCString());
    return answer;
  });

/** The user has told the browser to save data. */
export function saveData(): void {
  Object.defineProperty(navigator, 'connection', { value: { saveData: true }, configurable: true });
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'connection'));
}

/** Each request of a kind sets out when the one before has its answer, as on a single connection. */
export function sendInTurn(which: Which): void {
  let before: Promise<unknown> = Promise.resolve();
  begin(which, (goOn) => {
    const answer = before.then(goOn);
    before = answer.catch(() => {});
    return answer;
  });
}

/** Keeps answers back until they are let go; what is asked after that is answered at once. */
export function holdAnswers(which: Which) {
  const { promise, resolve } = Promise.withResolvers<void>();
  begin(which, async (goOn) => {
    const answer = await goOn();
    await promise;
    return answer;
  });
  onTestFinished(() => resolve());
  return { release: resolve };
}

/** Keeps each answer back until it was passed over as often as `letGo` says: a latency counted in steps of a test. */
export function delayAnswers(which: Which) {
  const waiting = new Map<() => void, number>();
  begin(which, async (goOn) => {
    const answer = await goOn();
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.set(resolve, 0);
    await promise;
    return answer;
  });
  onTestFinished(() => {
    for (const release of waiting.keys()) release();
  });
  return {
    /** Takes one step; answers that have waited so many steps go on. */
    letGo(steps: number): void {
      for (const [release, passed] of waiting) {
        waiting.set(release, passed + 1);
        if (passed + 1 < steps) continue;
        waiting.delete(release);
        release();
      }
    },
  };
}
