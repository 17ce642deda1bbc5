import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sayFigures, sayHeading, type Figure } from '../app/report.ts';
import { startChild, type Child } from '../child.ts';
import type { Bench } from '../options.ts';
import type { Beats, Pace } from './paced.ts';
import { addPeople, type People } from './people.ts';
import { own, signIn, whileStrangersTry } from './sign-ins.ts';

const crowd = { sessions: 10_000, accounts: 200 };
const rate = 200;
const rounds = 3;
const password = 'a password of the bench alone';

/** What the BFF adds to a read with many sessions, reads while many sign in, and how fast it answers 503 without the service. */
export const benchLoad: Bench = async (options) => {
  const folder = mkdtempSync(join(tmpdir(), 'subscriber-desk-'));
  const service = await startChild('./bff/upstream.ts', ['42']);
  const bff = await startChild('./bff/bff.ts', [service.first, password, folder]);
  const { child: asking } = await startChild('./load/paced.ts');
  try {
    const people = await addPeople(folder, crowd);
    const ask = createAsk(asking, people);
    const reads = [`${bff.first}/subscribers?PageSize=42`, `${service.first}/subscribers?PageSize=42`];
    // Until the engine has compiled what they take.
    await ask(reads, options.seconds);
    sayHeading(options, 'p99');
    sayFigures([await addedBy(() => ask(reads, options.seconds))], options);
    for (let round = 0; round < rounds; round += 1)
      sayFigures(await whileSigningIn(bff.first, people, (seconds) => ask(reads, seconds)), options);
    const account = { base: bff.first, name: people.names[0] ?? '', password };
    sayFigures(await whileStrangersTry(bff.child, account, options.seconds * rounds), options);
    await service.child.stop();
    const dark = await ask([`${bff.first}/subscribers?PageSize=42`], options.seconds * rounds, 503);
    sayFigures(
      [{ name: 'a refusal while the service is dark', value: p99(dark.flat()), unit: 'ms', budget: 50 }],
      options,
    );
  } finally {
    await Promise.all([service.child, bff.child, asking].map((child) => child.stop()));
  }
};

type Ask = (urls: readonly string[], seconds: number, status?: number) => Promise<Beats>;

function createAsk(asking: Child, { cookies }: People): Ask {
  const people = cookies.map((cookie) => ({ ...own, Cookie: cookie }));
  return (urls, seconds, status = 200) =>
    asking.ask<Beats>({ urls, people, status, rate, seconds } satisfies Pace);
}

async function addedBy(ask: () => Promise<Beats>): Promise<Figure> {
  const beats = (await inRounds(ask)).flat();
  const added = beats.map(([bff = Number.NaN, service = Number.NaN]) => bff - service);
  return {
    name: 'added to a read: 10,000 sessions, 200 reads a second',
    value: p99(added),
    unit: 'ms',
    budget: 20,
  };
}

async function inRounds(ask: () => Promise<Beats>): Promise<Beats[]> {
  const all: Beats[] = [];
  for (let round = 0; round < rounds; round += 1) all.push(await ask());
  return all;
}

/** All sign in at the same moment, each from an address of its own; the reads go on until the last of them is in. */
async function whileSigningIn(
  base: string,
  { names }: People,
  ask: (seconds: number) => Promise<Beats>,
): Promise<Figure[]> {
  const over = new AbortController();
  const began = performance.now();
  const all = Promise.all(
    names.map((name, index) => signIn({ base, name, password, address: `192.0.2.${index}` })),
  ).then(() => {
    over.abort();
    return performance.now() - began;
  });
  const beats: Beats[] = [];
  while (!over.signal.aborted) beats.push(await ask(0.5));
  const reads = beats.flat().map(([bff = Number.NaN]) => bff);
  return [
    { name: 'a read while 200 sign in at once', value: p99(reads), unit: 'ms', budget: 100 },
    { name: 'until all 200 are in', value: await all, unit: 'ms' },
  ];
}

function p99(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.99)] ?? Number.NaN;
}
