import type { BenchOptions } from '../options.ts';
import type { Usage } from '../subject.ts';
import { warmUp, type Ask } from './ask.ts';
import { megabytes } from './report.ts';
import type { Subject } from './subjects.ts';

const connections = 16;
const samples = 20;

/** Whether the server's memory stays flat under load: sampled after garbage is collected, with a line fitted to it. */
export async function watchMemory(bff: Subject, ask: Ask, options: BenchOptions): Promise<void> {
  const { memory: minutes, say } = options;
  // Code that is compiled and buffers that are kept come with the first load, and stay.
  await warmUp(bff, ask);
  const seconds = (minutes * 60) / samples;
  const taken: Usage[] = [await bff.child.ask<Usage>({ collect: true })];
  let requests = 0;
  for (let sample = 0; sample < samples; sample += 1) {
    requests += (await ask(bff, connections, seconds)).requests;
    const usage = await bff.child.ask<Usage>({ collect: true });
    taken.push(usage);
    const minute = (((sample + 1) * seconds) / 60).toFixed(1);
    say(
      `minute ${minute.padStart(5)}  RSS ${megabytes(usage.rss)} MB  heap ${megabytes(usage.heap)} MB  ${requests} requests`,
    );
  }
  for (const part of ['rss', 'heap'] as const) {
    const growth = slope(taken.map((usage) => usage[part])) / seconds;
    say(`${part}: ${((growth * 60) / 1024).toFixed(1)} KiB a minute`);
  }
}

/** Of the straight line that fits best (least squares), from one value to the next. */
function slope(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const up = values.reduce((sum, value, index) => sum + (index - middle) * (value - mean), 0);
  const over = values.reduce((sum, _, index) => sum + (index - middle) ** 2, 0);
  return up / over;
}
