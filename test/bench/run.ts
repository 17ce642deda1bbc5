/** `npm run bench -- NAME [--seconds N] [--memory MINUTES] [--rows N]`: measures one part of the product and prints the figures. */
import { parseArgs } from 'node:util';
import { benchApp } from './app/bench.ts';
import { benchBff } from './bff/bench.ts';
import { benchDemo } from './demo.ts';
import { benchExport } from './export.ts';
import { benchFlood } from './flood.ts';
import { benchJobs } from './jobs.ts';
import { benchLoad } from './load.ts';
import { benchOverview } from './overview.ts';
import { row, say } from './report.ts';
import { benchService } from './service/bench.ts';

interface Options {
  /** Length of each measurement. */
  seconds: number;
  /** For how many minutes to watch the memory instead; 0 to measure speed. */
  memory: number;
  /** Number of subscribers that a bench fills in. */
  rows: number;
}

export type Bench = (options: Options) => Promise<void>;

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
    memory: { type: 'string', default: '0' },
    rows: { type: 'string', default: '1000000' },
  },
});
const [name = ''] = positionals;
const bench = Object.hasOwn(benches, name) ? benches[name] : undefined;
const [seconds, memory, rows] = [Number(values.seconds), Number(values.memory), Number(values.rows)];

if (!bench || positionals.length > 1)
  giveUp(`Say what to measure: npm run bench -- NAME, with one of: ${Object.keys(benches).join(', ')}.`);
else if (!(seconds > 0) || !(memory >= 0) || !(rows >= 1000))
  giveUp('Give --seconds and --memory as numbers above 0, and --rows as one from 1000 on.');
else {
  say(row(name, 'measured', 'budget'));
  await bench({ seconds, memory, rows });
}

function giveUp(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
}
