import { setTimeout as pause } from 'node:timers/promises';
import { changeHeaders } from '../../../src/contract/http/change-headers.ts';
import type { DeskAnswer, DeskCaller } from './desk-caller.ts';
import { newSubscriber } from './server-process.ts';

/** What a writer was told. All times in ms, of `performance.now()`. */
export interface Seen {
  /** When each change was sent first, and when it was acknowledged. */
  acknowledged: { sent: number; at: number }[];
  /** How often it was told so: statuses, codes, and whether it was told when to come again. */
  refusals: Map<string, number>;
  /** What should never be, as sentences. */
  faults: string[];
}

/** In ms: between two changes, and before one is sent again. */
const pauses = { between: 50, again: 250 } as const;

/** How long one change may take until it is acknowledged, in ms. */
const longest = 120_000;

/** What was acknowledged is not there. To ask for it again would only end the test before the rest is counted. */
class Lost extends Error {}

/**
 * A member of staff that creates subscribers and changes them, each change at another of the servers, and reads each at
 * one more. What is not acknowledged is sent again with its key, as the dashboard does.
 */
export function createDeskWriter(name: string, caller: DeskCaller, ports: readonly number[]) {
  const seen: Seen = { acknowledged: [], refusals: new Map(), faults: [] };
  /** How often each subscriber was changed, by its id; its creation counts, too. */
  const changes = new Map<number, number>();
  /** Paths of subscribers that are not there any more. */
  const lost = new Set<string>();
  let [count, turn] = [0, 0];

  const refused = (what: string) => void seen.refusals.set(what, (seen.refusals.get(what) ?? 0) + 1);

  /** Asks one server after the other until one does it. @throws {Lost} if there is no such subscriber */
  async function insist(path: string, options: { method?: string; body?: object; headers?: object } = {}) {
    for (const limit = performance.now() + longest; performance.now() < limit; await pause(pauses.again)) {
      turn += 1;
      const port = ports[turn % ports.length] ?? 0;
      const answer = await caller.ask(port, path, options).catch((error: unknown) => {
        refused(
          `${options.method ?? 'GET'} broke off: ${error instanceof Error ? error.message : 'unknown'}`,
        );
        return null;
      });
      if (answer?.status === 200) return answer;
      if (answer?.status === 404) {
        lost.add(path);
        throw new Lost(`${name}: ${path} was acknowledged, and does not exist`);
      }
      if (answer) refused(`${options.method ?? 'GET'} ${describe(answer)}`);
    }
    throw new Error(`${name}: nobody did ${options.method ?? 'GET'} ${path} in ${longest} ms.`);
  }

  async function change(path: string, method: string, username: string, note: string) {
    count += 1;
    const sent = performance.now();
    const headers = { [changeHeaders.key]: `a-key-of-${name}-${count}` };
    const answer = await insist(path, { method, headers, body: { ...newSubscriber(username), note } });
    seen.acknowledged.push({ sent, at: performance.now() });
    return idAndNote(answer);
  }

  async function step(at: number) {
    const latest = [...changes.keys()].filter((id) => !lost.has(`/api/subscribers/${id}`)).slice(-4);
    const old = latest[at % 4];
    const username = `${name}-${old ?? count}`;
    const note = `change ${count}`;
    const created = old === undefined || at % 4 === 0;
    const { id } = created
      ? await change('/api/subscribers', 'POST', `${name}-new-${count}`, note)
      : await change(`/api/subscribers/${old}`, 'PUT', username, note);
    changes.set(id, (changes.get(id) ?? 0) + 1);
    const found = idAndNote(await insist(`/api/subscribers/${id}`));
    if (found.note !== note) seen.faults.push(`${name}: ${id} has “${found.note}” instead of “${note}”`);
  }

  return {
    seen,
    changes,
    async write(isOver: () => boolean) {
      for (let at = 0; !isOver(); at += 1) {
        await step(at).catch((error: unknown) => {
          if (!(error instanceof Lost)) throw error;
          seen.faults.push(error.message);
        });
        await pause(pauses.between);
      }
    },
  };
}

function idAndNote({ text }: DeskAnswer): { id: number; note: string } {
  const { id, note } = JSON.parse(text);
  return { id, note };
}

function describe({ status, text, retryAfter }: DeskAnswer): string {
  const code = /"type":"[^"]*[:/]([a-z-]+)"/.exec(text)?.[1] ?? text.slice(0, 80);
  return `${status} ${code}${retryAfter === null ? ', not told when to come again' : ''}`;
}
