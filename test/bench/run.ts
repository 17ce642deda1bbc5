/** `npm run bench -- NAME [--seconds N] [--memory MINUTES] [--rows N]`: measures one part of the product and prints the figures. */
import { parseArgs } from 'node:util';
import { benchApp } from './app/bench.ts';
import { benchBff } from './bff/bench.ts';
import { benchDemo } from './demo/bench.ts';
import { benchExport } from './export/bench.ts';
import { benchFlood } from './flood/bench.ts';
import { benchJobs } from './jobs/bench.ts';
import { benchLoad } from './load/bench.ts';
import type { Bench } from './options.ts';
import { benchOverview } from './overview/bench.ts';
import { benchService } from './service/bench.ts';

const benches: Readonly<Record<string, Bench>> = {
  app: benchApp,
  bff: benchBff,
  demo: benchDemo,
  export: benchExport,
  flood: benchFlood,
  jobs: benchJobs,
  load: benchLoad,
  overview: benchOverview,
  service: benchService,
};

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '3' },
    memory: { type: 'string' },
    rows: { type: 'string' },
  },
});
const [name = ''] = positionals;
const bench = Object.hasOwn(benches, name) ? benches[name] : undefined;
const [seconds, memory] = [Number(values.seconds), Number(values.memory ?? 0)];
const rows = Number(values.rows ?? 1_000_000);

if (!bench || positionals.length > 1)
  giveUp(`Say what to measure: npm run bench -- NAME, with one of: ${Object.keys(benches).join(', ')}.`);
else if (!(seconds > 0) || !(memory >= 0) || !(rows >= 1000))
  giveUp('Give --seconds and --memory as numbers above 0, and --rows as one from 1000 on.');
else await bench({ seconds, memory, rows, say: (line) => process.stdout.write(`${line}\n`) });

function giveUp(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
}
