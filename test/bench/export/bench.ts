import { setTimeout as delay } from 'node:timers/promises';
import { bffApi } from '../../../src/contract/bff/api.ts';
import { exportEnd } from '../../../src/contract/bff/export-query.ts';
import { apiBase } from '../../../src/contract/bff/paths.ts';
import { sayFigures, sayHeading, type Figure } from '../app/report.ts';
import { startFilledServer } from '../filled-server.ts';
import type { Bench } from '../options.ts';
import { memoryOf, p99 } from '../server.ts';

/** How fast all subscribers of the embedded service's SQLite are exported, with how much memory, and what others feel meanwhile. */
export const benchExport: Bench = async (options) => {
  sayHeading(options, `${options.rows} subscribers`);
  const { server, manager, colleague, send } = await startFilledServer(options.rows);
  try {
    /** A colleague's lists, until the export ends. */
    const ask = async (over: AbortSignal) => {
      const times: number[] = [];
      for (let page = 1; !over.aborted; page += 1) {
        const asked = performance.now();
        const list = await send(colleague, `${apiBase}/subscribers?Page=${page % 100}`);
        await list.arrayBuffer();
        times.push(performance.now() - asked);
        await delay(20);
      }
      return p99(times);
    };
    const take = async (query: string) => {
      const began = performance.now();
      const answer = await send(manager, `${bffApi.exportSubscribers.path}?counted=true${query}`);
      let [bytes, tail, most, chunks] = [0, '', 0, 0];
      const before = memoryOf(server.pid);
      for await (const chunk of answer.body ?? []) {
        bytes += chunk.byteLength;
        chunks += 1;
        tail = `${tail}${new TextDecoder('latin1').decode(chunk.subarray(-exportEnd.longest))}`.slice(
          -exportEnd.longest,
        );
        if (chunks % 200 === 0) most = Math.max(most, memoryOf(server.pid));
      }
      const rows = exportEnd.read(tail)?.rows ?? 0;
      if (rows !== options.rows) throw new Error(`The export has ${rows} rows (HTTP ${answer.status}).`);
      return { ms: performance.now() - began, growth: most - before, megabytes: bytes / 2 ** 20 };
    };
    const figures: Figure[] = [];
    for (const [name, query, slowest] of [
      ['CSV', '', 1000 / 20_000],
      ['JSON lines by expiry, in Oslo', '&format=jsonl&SortBy=expiresAt&zone=Europe/Oslo', null],
    ] as const) {
      const over = new AbortController();
      const [taken, others] = await Promise.all([take(query).finally(() => over.abort()), ask(over.signal)]);
      const perSecond = (options.rows / taken.ms) * 1000;
      figures.push(
        {
          name: `${name}, ${taken.megabytes.toFixed(0)} MB: a row, ${perSecond.toFixed(0)} a second`,
          value: taken.ms / options.rows,
          unit: 'ms',
          ...(slowest !== null && { budget: slowest }),
        },
        { name: `${name}: a list meanwhile, p99`, value: others, unit: 'ms', budget: 100 },
        { name: `${name}: memory grew by`, value: taken.growth, unit: 'MB', budget: 150 },
      );
    }
    sayFigures(figures, options);
  } finally {
    await server.stop();
  }
};
