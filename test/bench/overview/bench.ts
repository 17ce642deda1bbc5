import { setTimeout as delay } from 'node:timers/promises';
import { bffApi } from '../../../src/contract/bff/api.ts';
import { overviewLimits } from '../../../src/contract/bff/overview.ts';
import { apiBase } from '../../../src/contract/bff/paths.ts';
import { sayFigures, sayHeading, type Figure } from '../app/report.ts';
import { startFilledServer } from '../filled-server.ts';
import type { Bench } from '../options.ts';
import { p99 } from '../server.ts';

/** How soon the overview has its numbers, how soon a list of a range has its rows, and what others feel meanwhile. */
export const benchOverview: Bench = async (options) => {
  sayHeading(options, `${options.rows} subscribers`);
  const { server, manager, colleague, send } = await startFilledServer(options.rows);
  try {
    const time = async (cookie: string, path: string) => {
      const asked = performance.now();
      const answer = await send(cookie, path);
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${path}: HTTP ${answer.status} ${text}`);
      return performance.now() - asked;
    };
    const over = new AbortController();
    const ask = async () => {
      const times: number[] = [];
      for (let page = 1; !over.signal.aborted; page += 1) {
        times.push(await time(colleague, `${apiBase}/subscribers?Page=${page % 100}`));
        await delay(5);
      }
      return p99(times);
    };
    const overview = () => time(manager, bffApi.getOverview.path);
    const [first, others] = await Promise.all([overview().finally(() => over.abort()), ask()]);
    // It is counted anew only when a minute is over.
    await delay(overviewLimits.keptFor);
    const second = await overview();
    const kept = await overview();
    const figures: Figure[] = [
      { name: 'the overview, while others read lists', value: first, unit: 'ms', budget: 1000 },
      { name: 'the overview', value: second, unit: 'ms', budget: 1000 },
      { name: 'the same, kept', value: kept, unit: 'ms', budget: 100 },
      { name: 'a list while it is counted, p99', value: others, unit: 'ms', budget: 100 },
    ];
    for (const [name, query] of [
      ['the next 7 days', 'ExpiresFrom=now&ExpiresTo=7d'],
      ['the next 7 days, by username', 'ExpiresFrom=now&ExpiresTo=7d&SortBy=username'],
      ['paid and not expired', 'ExpiresFrom=now&IsTrial=false'],
      ['paid and not expired, by expiry, last first', 'ExpiresFrom=now&IsTrial=false&SortBy=expiresAt_desc'],
    ] as const) {
      const times: number[] = [];
      for (let run = 0; run < 5; run += 1) times.push(await time(manager, `${apiBase}/subscribers?${query}`));
      figures.push({ name: `a list: ${name}`, value: median(times), unit: 'ms', budget: 100 });
    }
    sayFigures(figures, options);
  } finally {
    await server.stop();
  }
};

const median = (times: readonly number[]) =>
  times.toSorted((one, other) => one - other)[times.length >> 1] ?? 0;
