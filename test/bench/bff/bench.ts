import { startChild } from '../child.ts';
import type { Bench } from '../options.ts';
import type { Usage } from '../subject.ts';
import { createAsk, warmUp, type Ask } from './ask.ts';
import { watchMemory } from './memory.ts';
import { say, type Measured } from './report.ts';
import { names, startSubjects, type Subject } from './subjects.ts';

const connectionCounts = [1, 16, 64];
const rounds = 5;

/** The BFF as a proxy of the service, beside proxies that only pass requests on. */
export const benchBff: Bench = async (options) => {
  const { subjects, headers } = await startSubjects();
  const { child: load } = await startChild('./load.ts');
  const ask = createAsk(load, headers);
  try {
    const bff = subjects.find(({ name }) => name === names.bff);
    if (options.memory > 0 && bff) await watchMemory(bff, ask, options);
    else await compare(subjects, ask, options);
  } finally {
    await Promise.all([...subjects.map(({ child }) => child), load].map((child) => child.stop()));
  }
};

/** In rounds, each in another order, so that other load on the machine affects all subjects alike. */
async function compare(subjects: readonly Subject[], ask: Ask, options: Parameters<Bench>[0]): Promise<void> {
  const { seconds } = options;
  for (const subject of subjects) await warmUp(subject, ask);
  const measured: Measured[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const order = [...subjects.slice(round % subjects.length), ...subjects.slice(0, round % subjects.length)];
    for (const connections of connectionCounts)
      for (const subject of order) {
        const before = await subject.child.ask<Usage>({});
        const result = await ask(subject, connections, seconds);
        const after = await subject.child.ask<Usage>({});
        const cpu = (after.cpu - before.cpu) / result.requests;
        measured.push({ subject: subject.name, connections, ...result, cpu, rss: [before.rss, after.rss] });
      }
  }
  say(measured, options);
}
