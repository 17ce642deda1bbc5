import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { password, startProcess } from '../bench/processes.ts';
import { person } from '../support/people.ts';
import { signIn } from '../support/server/server-process.ts';

const minutes = 10;
/** Until then what is loaded when it is first needed is loaded, and caches are full. */
const warmUp = 2;

test(
  `a server that eight people read from and write to for ${minutes} minutes holds no more memory than after ${warmUp}`,
  async () => {
    const env = { READS_PER_SECOND: '0', SAMPLE_SUBSCRIBERS: '2000' };
    const server = await startProcess('src/server/main.ts start', env);
    onTestFinished(server.stop);
    const over = new AbortController();
    let requests = 0;
    const work = async (number: number) => {
      const user = await signIn(server.url, password);
      for (let round = 1; !over.signal.aborted; round += 1) {
        const params = { id: 1 + number * 250 + (round % 250) };
        await user.api.listSubscribers({ query: { Username: 'a', Page: 1 + (round % 5) } });
        await user.api.updateSubscriber({ params, body: { note: `Round ${round}.` } });
        await user.bff.listActivity({ query: { subscriberId: params.id } });
        const made = await user.api.createSubscriber({ body: person(`made-${number}-${round}`) });
        await user.api.deleteSubscriber({ params: { id: made.data.id } });
        await (await user.ask('GET', '/bff/views')).arrayBuffer();
        requests += 6;
      }
    };
    const working = Promise.all(Array.from({ length: 8 }, (_, number) => work(number)));
    // It is awaited at the end, and fails there.
    working.catch(() => over.abort());
    const after = async (time: number) => {
      await delay(time * 60_000, undefined, { signal: over.signal });
      return (await server.usage(true)).heap / 1e6;
    };
    const [early, late] = [await after(warmUp), await after(minutes - warmUp)];
    over.abort();
    await working;
    process.stdout.write(`${requests} requests; heap ${early.toFixed(1)} MB, then ${late.toFixed(1)} MB\n`);
    expect(late).toBeLessThan(early + 10);
  },
  (minutes + 5) * 60_000,
);
