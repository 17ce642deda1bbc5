import { bffApi } from '../../src/contract/bff/api.ts';
import { startFilledServer } from './filled-server.ts';
import { median, show, timeOf } from './report.ts';
import type { Bench } from './run.ts';

const ranges = {
  'the next 7 days': 'ExpiresFrom=now&ExpiresTo=7d',
  'the next 7 days, by username': 'ExpiresFrom=now&ExpiresTo=7d&SortBy=username',
  'paid and not expired': 'ExpiresFrom=now&IsTrial=false',
  'paid and not expired, by expiry, last first': 'ExpiresFrom=now&IsTrial=false&SortBy=expiresAt_desc',
};

/** Time until the overview has its numbers and a list of a range its rows, and the delay of others meanwhile. */
export const benchOverview: Bench = async ({ rows }) => {
  const { server, manager, ask, timeList, whileOthersRead } = await startFilledServer(rows);
  const readOverview = async () => (await ask(manager, bffApi.getOverview.path)).text();
  try {
    const counted = await whileOthersRead(readOverview);
    show('the overview, while others read lists', counted.ms, 'ms', 1000);
    show('a list while it is counted, p99', counted.p99, 'ms', 100);
    show('the overview again, kept', await timeOf(readOverview), 'ms', 100);
    for (const [name, query] of Object.entries(ranges)) {
      const times: number[] = [];
      for (let run = 0; run < 5; run += 1) times.push(await timeList(manager, query));
      show(`a list: ${name}`, median(times), 'ms', 100);
    }
  } finally {
    await server.stop();
  }
};
