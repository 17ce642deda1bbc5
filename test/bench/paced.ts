/** The thread that asks at a steady pace, whether what it asked before is answered or not, as many people do. */
import { parentPort } from 'node:worker_threads';
import { Agent } from 'undici';

/** Each beat asks for every address at once; each is asked in the name of the next of its people. */
export interface Pace {
  urls: readonly string[];
  /** Headers of each person. */
  people: readonly Record<string, string>[];
  /** The expected status; anything else is no figure. */
  status: number;
  /** Beats a second. */
  rate: number;
  seconds: number;
}

/** For each beat the answer times in ms, in the order of the addresses. */
export type Beats = readonly (readonly number[])[];

const agent = new Agent({ connections: 256 });

parentPort?.on('message', async (pace: Pace) => parentPort?.postMessage(await run(pace), []));

async function run({ urls, people, status, rate, seconds }: Pace): Promise<Beats> {
  const beats: Promise<number[]>[] = [];
  const began = performance.now();
  const beat = () => {
    const number = beats.length;
    const headers = people[number % people.length] ?? {};
    // None is always the first to be asked.
    const times: Promise<number>[] = [];
    for (const turn of urls.keys()) {
      const index = (turn + number) % urls.length;
      times[index] = timeOf(`${urls[index]}&Page=${number + 1}`, headers, status);
    }
    beats.push(Promise.all(times));
  };
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const due = Math.min(performance.now() - began, seconds * 1000) * (rate / 1000);
      while (beats.length < due) beat();
      if (due < seconds * rate) return;
      clearInterval(timer);
      resolve();
    }, 1);
  });
  return Promise.all(beats);
}

/** From the asking to the last byte. @throws where the answer is none that was asked for */
async function timeOf(url: string, headers: Record<string, string>, status: number): Promise<number> {
  const requested = performance.now();
  const { origin, pathname, search } = new URL(url);
  const { statusCode, body } = await agent.request({
    origin,
    path: pathname + search,
    method: 'GET',
    headers,
  });
  await body.arrayBuffer();
  if (statusCode !== status) throw new Error(`${pathname} answered ${statusCode}.`);
  return performance.now() - requested;
}
