/** The process that asks: so many connections, each with its next request as soon as its last is answered. */
import { Client, type Dispatcher } from 'undici';

/** What to ask, of whom, and for how long. */
export interface Load {
  url: string;
  headers: Record<string, string>;
  connections: number;
  seconds: number;
  /** Sets the addresses of this load apart from those of all before. */
  from: number;
}

/** Latencies in ms. */
export interface LoadResult {
  requests: number;
  perSecond: number;
  p50: number;
  p99: number;
}

process.on('message', async (load: Load) => process.send?.(await run(load)));
process.on('disconnect', () => process.exit());
process.send?.('ready');

async function run({ url, headers, connections, seconds, from }: Load): Promise<LoadResult> {
  const { origin, pathname, search } = new URL(url);
  const clients = Array.from({ length: connections }, () => new Client(origin));
  const latencies: number[] = [];
  let page = from;
  const began = performance.now();
  const end = began + seconds * 1000;
  const ask = async (client: Client) => {
    while (performance.now() < end) {
      const asked = performance.now();
      // No two are the same: the BFF shares one call between identical reads under way at once.
      page += 1;
      await exchange(client, { method: 'GET', path: `${pathname}${search}&Page=${page}`, headers });
      latencies.push(performance.now() - asked);
    }
  };
  await Promise.all(clients.map(ask));
  const took = performance.now() - began;
  await Promise.all(clients.map((client) => client.close()));
  const sorted = Float64Array.from(latencies).toSorted();
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
  const requests = sorted.length;
  return { requests, perSecond: (requests / took) * 1000, p50: at(0.5), p99: at(0.99) };
}

/** By `dispatch`, undici's cheapest way, so that little of the machine goes to asking. */
function exchange(client: Client, options: Dispatcher.DispatchOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    let [status, size] = [0, 0];
    client.dispatch(options, {
      onRequestStart: () => undefined,
      onResponseStart: (_, statusCode) => void (status = statusCode),
      onResponseData: (_, chunk) => void (size += chunk.length),
      onResponseEnd() {
        // An error is answered faster than a page of subscribers, and would make a good figure.
        if (status === 200 && size > 10_000) resolve();
        else reject(new Error(`Answered with ${status} and ${size} bytes.`));
      },
      onResponseError: (_, error) => reject(error),
    });
  });
}
