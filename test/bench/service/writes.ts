import { percentiles } from './percentiles.ts';
import type { Subject } from './subject.ts';

const writers = 8;

/** Writers that change one subscriber after another, each as soon as its last change is acknowledged. */
export async function measureWrites({ client }: Subject, seconds: number) {
  const times: number[] = [];
  const began = performance.now();
  const end = began + seconds * 1000;
  const write = async (writer: number) => {
    for (let round = 0; performance.now() < end; round += 1) {
      const asked = performance.now();
      if (round % 2 === 0)
        await client.createSubscriber({
          body: {
            username: `writer-${writer}-${round}-${began.toFixed(0)}`,
            email: `writer-${writer}-${round}@example.com`,
            expiresAt: new Date(Date.UTC(2027, 0, 1) + round * 60_000).toISOString(),
          },
        });
      else
        await client.updateSubscriber({
          params: { id: 1 + ((writer * 7919 + round * 104_729) % 1000) },
          body: { note: `changed in round ${round}`, maxConnections: 1 + (round % 9) },
        });
      times.push(performance.now() - asked);
    }
  };
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
  const took = (performance.now() - began) / 1000;
  return { perSecond: times.length / took, ...percentiles(times) };
}
