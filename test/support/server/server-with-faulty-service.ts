import { expect } from 'vitest';
import { wholeSubscriber } from '../bff/canned.ts';
import { createPerson } from '../bff/person.ts';
import { faults } from './faults.ts';
import { answer, startFaultyService } from './faulty-service.ts';

const secrets = {
  UPSTREAM_CLIENT_SECRET: 'canary-client-secret',
  MANAGER_PASSWORD: 'canary-manager-password',
  METRICS_TOKEN: 'canary-metrics-token',
};
/** The id that meets a fault. That of `startFaultyService` is read without any. */
export const idOfFault = (index: number) => 101 + index;
const good = idOfFault(faults.length);
const ann = { id: good, accessToken: 'anns-token', username: 'Ann', email: 'ann@example.com' };
const wellAnswered = { ...wholeSubscriber, ...ann };

/** A server as a process or in this one, as far as it matters here. */
interface Started {
  url: string;
  output: () => string;
  complaints: () => string;
}

/**
 * A server with its real limits, in front of a service that has a fault for each id and answers the id after the last
 * correctly. Keeps all that the server says, to be searched for secrets.
 *
 * @param start starts it with these variables
 */
export async function openServerWithFaultyService<Server extends Started>(
  start: (env: Record<string, string>) => Promise<Server>,
) {
  const service = await startFaultyService((socket, count) => {
    const id = Number(/^\w+ \/v1\/subscribers\/(\d+)/.exec(service.requests[count - 1] ?? '')?.[1]);
    const fault = faults[id - idOfFault(0)]?.[1];
    if (fault) fault(socket, count);
    else socket.end(answer(JSON.stringify(wellAnswered)));
  });
  const server = await start({
    ...secrets,
    UPSTREAM_URL: service.url,
    UPSTREAM_CLIENT_ID: 'desk',
    UPSTREAM_SCOPE_READ: 'read',
    UPSTREAM_SCOPE_WRITE: 'write',
  });
  const said: string[] = [];
  const person = createPerson(fetch, server.url);

  /** The status of an answer and how long it took, in ms. */
  const ask = async (...request: Parameters<typeof person.ask>) => {
    const began = performance.now();
    const response = await person.ask(...request);
    const others = [...response.headers].filter(([name]) => name !== 'set-cookie');
    said.push(`${JSON.stringify(others)} ${await response.text()}`);
    return { status: response.status, took: performance.now() - began };
  };
  const signIn = async (password: string) =>
    (await ask('POST', '/bff/session', { name: 'manager', password })).status;

  expect(await signIn('canary-wrong-password')).toBe(401);
  expect(await signIn(secrets.MANAGER_PASSWORD)).toBe(200);
  return {
    server,
    ask,
    /** One correct answer; none after failures means that the server is broken. */
    askWell: () => ask('GET', `/api/subscribers/${good}`),
    /** Everything that was answered or logged. */
    everything: () => [...said, server.output(), server.complaints()].join('\n'),
    sessionId: () => person.cookie().split('=')[1] ?? '',
  };
}
