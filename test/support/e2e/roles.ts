import type { BrowserContextOptions, Page } from 'playwright-core';
import { csrfHeader } from '../../../src/contract/bff/paths.ts';
import { limits } from '../../../src/contract/service/limits.ts';
import type { Role } from '../../../src/contract/bff/permission.ts';
import type { StaffWithPassword } from '../../../src/contract/bff/staff.ts';
import { openPage } from './browser.ts';
import type { Product } from './product.ts';
import { signIn } from './sign-in.ts';

type StorageState = NonNullable<BrowserContextOptions['storageState']>;

const names = { viewer: 'Ingeborg Margrethe', support: 'AnnaAleksandraKonstantinopolskaWisniewskaKowalczyk' };
const password = 'nine tired otters sing';

/** Signs in one person of each role, and adds records whose texts are as long as they can be. */
export async function signInRoles(server: Product): Promise<Record<Role, StorageState>> {
  const { page } = await openPage();
  await signIn(page, server);
  const send = senderOf(page, server.url);
  const newcomer = async (role: 'viewer' | 'support') => {
    const { oneTimePassword } = (await send('POST', '/bff/staff', {
      name: names[role],
      role,
    })) as StaffWithPassword;
    const watched = await openPage();
    const sendAs = senderOf(watched.page, server.url);
    await sendAs('POST', '/bff/session', { name: names[role], password: oneTimePassword });
    await sendAs('PUT', '/bff/password', { newPassword: password });
    const state = await watched.page.context().storageState();
    await watched.page.context().close();
    return state;
  };
  const [viewer, support] = [await newcomer('viewer'), await newcomer('support')];
  await addLongest(send);
  const manager = await page.context().storageState();
  await page.context().close();
  return { viewer, support, manager };
}

type Send = (method: string, path: string, data?: unknown) => Promise<unknown>;

/** Sends requests past the page, with its session. @throws where the answer is none of success */
export function senderOf(page: Page, url: string): Send {
  const headers = { [csrfHeader.name]: csrfHeader.value, Origin: url };
  return async (method, path, data) => {
    const answer = await page.request.fetch(url + path, { method, headers, data });
    if (!answer.ok()) throw new Error(`${method} ${path}: ${answer.status()} ${await answer.text()}`);
    const text = await answer.text();
    return text === '' ? undefined : JSON.parse(text);
  };
}

async function addLongest(send: Send): Promise<void> {
  const username = 'A'.padEnd(limits.username, 'household');
  const domain = `${'subdomain.'.repeat(17)}example.com`;
  const subscriber = {
    username,
    email: `${username}@${domain}`,
    expiresAt: '2027-12-31T23:00:00.000Z',
    maxConnections: limits.connections,
    isTrial: true,
    note: `Called twice about ${'LongWordWithoutAnEnd'.repeat(6)}\nThen it was well.`,
    bundles: Array.from({ length: 40 }, (_, index) => 1_000_000 + index),
    ipAddresses: ['2001:db8:1234:5678:9abc:def0:1234:5678', '192.0.2.0/24'],
    userAgents: ['x'.padEnd(limits.userAgent, 'Mozilla/5.0')],
    countries: ['NO', 'GB', 'BA', 'GS', 'VC'],
  };
  const created = await send('POST', '/api/subscribers', subscriber);
  const { id } = created as { id: number };
  await send('PUT', `/api/subscribers/${id}`, { ...subscriber, email: `B${subscriber.email.slice(1)}` });
  const view = { name: 'Expired soon in the whole of Scandinavia and in Great Britain', shared: true };
  await send('POST', '/bff/views', { ...view, query: { Expired: 'true', Username: username.slice(0, 9) } });
  await send('POST', '/bff/messages', {
    occasion: 'general',
    language: 'en',
    name: 'B'.padEnd(64, 'message'),
    text: `Hello {username}! ${'AWordWithoutAnyEnd'.repeat(5)}`,
  });
}
