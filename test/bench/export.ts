import { bffApi } from '../../src/contract/bff/api.ts';
import { exportEnd } from '../../src/contract/bff/export-query.ts';
import { startFilledServer } from './filled-server.ts';
import { show } from './report.ts';
import type { Bench } from './run.ts';

const formats = [
  { name: 'CSV', query: '', budget: 1000 / 20_000 },
  { name: 'JSON lines by expiry, in Oslo', query: '&format=jsonl&SortBy=expiresAt&zone=Europe/Oslo' },
  { name: 'CSV with the four lists', query: '&lists=true', budget: 1000 / 20_000 },
];

/** Speed and memory of exporting all subscribers of the embedded service, and others' delay meanwhile. */
export const benchExport: Bench = async ({ rows }) => {
  const { server, manager, ask, whileOthersRead } = await startFilledServer(rows);
  const take = async (query: string) => {
    const answer = await ask(manager, `${bffApi.exportSubscribers.path}?counted=true${query}`);
    let tail = '';
    for await (const chunk of answer.body ?? []) {
      const end = chunk.subarray(-exportEnd.longest);
      tail = `${tail}${new TextDecoder('latin1').decode(end)}`.slice(-exportEnd.longest);
    }
    const taken = exportEnd.read(tail)?.rows ?? 0;
    if (taken !== rows) throw new Error(`The export has ${taken} rows.`);
  };
  let plain: number | undefined;
  try {
    for (const { name, query, budget } of formats) {
      const { ms, p50, p99, health, turn, grown } = await whileOthersRead(() => take(query));
      show(`${name}: a row, ${((rows / ms) * 1000).toFixed(0)} a second`, ms / rows, 'ms', budget);
      show(`${name}: a list meanwhile, p99`, p99, 'ms', 100);
      show(`${name}: a list meanwhile, p50`, p50, 'ms');
      show(`${name}: /healthz meanwhile, p50`, health.p50, 'ms');
      show(`${name}: /healthz meanwhile, p99`, health.p99, 'ms', 100);
      plain ??= health.p99;
      show(`${name}: the same beside plain CSV`, health.p99 / plain, '×', 1.5);
      show(`${name}: the longest turn of the event loop`, turn, 'ms', 50);
      show(`${name}: memory grew by`, grown, 'MB', 150);
    }
  } finally {
    await server.stop();
  }
};
