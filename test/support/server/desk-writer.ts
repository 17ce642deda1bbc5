import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { expect, onTestFinished } from 'vitest';
import { csrfHeader } from '../../../src/contract/bff/paths.ts';
import { changeHeaders } from '../../../src/contract/http/change-headers.ts';
import { person } from '../people.ts';

/** In ms: between two changes, before one is sent again, and until one has to be acknowledged. */
const times = { between: 50, again: 250, longest: 120_000 } as const;

/**
 * A member of staff that creates subscribers and changes them, each change at another of the servers, and reads each at
 * one more. What is not acknowledged is sent again with its key, as the dashboard does. Servers see one connection of
 * it; it asks for the public address, also past a proxy.
 */
export async function createDeskWriter(
  name: string,
  desk: { publicUrl: string; ports: readonly number[]; password: string },
) {
  const agent = new Agent({ connections: 1 });
  onTestFinished(() => agent.destroy());
  /** When each change was sent first, and when it was acknowledged, in ms of `performance.now()`. */
  const acknowledged: { sent: number; at: number }[] = [];
  /** Every refusal: its status, its code, and whether it said when to come again. */
  const refusals: string[] = [];
  /** Sentences on what should never be. */
  const faults: string[] = [];
  /** Number of changes of each subscriber, by its id; its creation counts, too. */
  const changes = new Map<number, number>();
  const lost = new Set<number>();
  let [count, turn, cookie] = [0, 0, ''];

  /** Asks the next server. */
  async function ask(method: string, path: string, body?: object, more: object = {}) {
    turn += 1;
    const { statusCode, headers, ...answer } = await request(
      `http://127.0.0.1:${desk.ports[turn % desk.ports.length]}${path}`,
      {
        dispatcher: agent,
        method,
        headers: {
          Host: new URL(desk.publicUrl).host,
          Origin: desk.publicUrl,
          [csrfHeader.name]: csrfHeader.value,
          Cookie: cookie,
          ...(body && { 'Content-Type': 'application/json' }),
          ...more,
        },
        ...(body && { body: JSON.stringify(body) }),
      },
    );
    const text = await answer.body.text();
    cookie ||= String(headers['set-cookie']).split(';')[0] ?? '';
    const code = /"type":"[^"]*[:/]([a-z-]+)"/.exec(text)?.[1] ?? text.slice(0, 80);
    const lacks = headers['retry-after'] === undefined ? ', not told when to come again' : '';
    return { status: statusCode, text, refusal: `${method} ${statusCode} ${code}${lacks}` };
  }

  /** Asks one server after the other until one does it; null if there is no such subscriber. */
  async function retry(...[method, path, ...more]: Parameters<typeof ask>) {
    for (const end = performance.now() + times.longest; performance.now() < end; await pause(times.again)) {
      const { status, text, refusal } = await ask(method, path, ...more).catch((error: Error) => ({
        status: 0,
        text: '',
        refusal: `${method} broke off: ${error.message}`,
      }));
      if (status === 200) return JSON.parse(text) as { id: number; note: string };
      if (status === 404) {
        faults.push(`${name}: ${path} was acknowledged, and does not exist`);
        return null;
      }
      refusals.push(refusal);
    }
    throw new Error(`${name}: nobody did ${method} ${path} in ${times.longest} ms.`);
  }

  async function step(at: number) {
    const old = [...changes.keys()].filter((id) => !lost.has(id)).slice(-4)[at % 4];
    const isNew = old === undefined || at % 4 === 0;
    const path = isNew ? '/api/subscribers' : `/api/subscribers/${old}`;
    const username = isNew ? `${name}-new-${count}` : `${name}-${old}`;
    const note = `change ${count}`;
    count += 1;
    const sent = performance.now();
    const key = { [changeHeaders.key]: `a-key-of-${name}-${count}` };
    const made = await retry(isNew ? 'POST' : 'PUT', path, { ...person(username), note }, key);
    const id = made?.id ?? old ?? 0;
    if (made) {
      acknowledged.push({ sent, at: performance.now() });
      changes.set(id, (changes.get(id) ?? 0) + 1);
    }
    const found = made && (await retry('GET', `/api/subscribers/${id}`));
    if (!found) lost.add(id);
    else if (found.note !== note) faults.push(`${name}: ${id} has “${found.note}” instead of “${note}”`);
  }

  const { password } = desk;
  expect((await ask('POST', '/bff/session', { name: 'manager', password })).status).toBe(200);
  return {
    acknowledged,
    refusals,
    faults,
    changes,
    async write(over: AbortSignal) {
      for (let at = 0; !over.aborted; at += 1) {
        await step(at);
        await pause(times.between);
      }
    },
  };
}
