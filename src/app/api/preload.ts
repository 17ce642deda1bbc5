/** An answer on its way since before the dashboard's code was here. */
interface Early {
  answer: Promise<Response>;
  /** By the page's clock, in ms. */
  askedAt: number;
}

/** By the addresses that were asked. */
const early = new Map<string, Early>();

/** How long an answer may wait for who wants it, in ms; later it might be no longer true. */
const patience = 10_000;

export function askEarly(url: string, headers: Readonly<Record<string, string>>): void {
  const answer = fetch(url, { headers: { Accept: 'application/json', ...headers } }).then(readWhole);
  // Who takes it hears of what went wrong; where nobody does, nobody misses it.
  answer.catch(() => undefined);
  early.set(url, { answer, askedAt: performance.now() });
}

/** With its body at hand: who takes it waits no more, and where nobody does its connection is free all the same. */
const readWhole = async (answer: Response) => new Response(await answer.arrayBuffer(), answer);

/** The answer to a request that has gone out early, once; later ones go out themselves. */
export function takeEarly({ method, url, signal }: Request): Promise<Response> | undefined {
  const found = method === 'GET' ? early.get(url) : undefined;
  if (!found) return undefined;
  early.delete(url);
  if (performance.now() - found.askedAt > patience) return undefined;
  return new Promise((resolve, reject) => {
    // Who gives up before it has come leaves it to the next.
    const giveBack = () => {
      early.set(url, found);
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', giveBack);
    found.answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveBack));
  });
}
