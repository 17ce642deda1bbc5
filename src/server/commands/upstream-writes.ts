import { differing } from '../../bff/journal/entries.ts';
import { toBase64url } from '../../lib/crypto.ts';
import { RefusedByService } from '../../bff/upstream/failures.ts';
import { Problem } from '../../contract/http/problem.ts';
import { listNames } from '../../contract/service/limits.ts';
import type { SubscriberDetail } from '../../contract/service/subscriber.ts';
import { createDefaults, type SubscriberInput } from '../../contract/service/subscriber-input.ts';
import { expectNotFound, odd, type Ask, type Try } from './upstream-reads.ts';

/** Most fields have values that no service would give them by itself, so that a lost one is seen. */
const madeUp = (username: string): SubscriberInput => ({
  ...createDefaults,
  username,
  email: `${username}@example.com`,
  expiresAt: '2031-05-06T07:08:09.000Z',
  maxConnections: 3,
  isTrial: true,
  note: 'Made up by a check of Subscriber Desk.',
  hls: false,
  mpegTs: true,
  ipAddresses: ['192.0.2.7'],
  userAgents: ['Check/1.0'],
  countries: ['NO'],
});

/**
 * Checks every change with one made-up subscriber, and deletes it, whatever went wrong before.
 *
 * @returns what is left there, in a sentence; null if nothing is
 */
export async function tryWrites(
  ask: Ask,
  tryOne: Try,
  random: (bytes: number) => Uint8Array,
): Promise<string | null> {
  // Some services take only small letters and digits.
  const suffix = toBase64url(random(9))
    .toLowerCase()
    .replaceAll(/[^a-z\d]/g, '0');
  const input = madeUp(`deskcheck${suffix}`);
  const made: { one: SubscriberDetail | null; mayBeDone: boolean } = { one: null, mayBeDone: false };
  let isLeft = true;
  try {
    await tryOne('a new subscriber', 'create subscribers', async () => {
      made.mayBeDone = true;
      const one = await ask('createSubscriber', { body: input }, 'support').catch((error: unknown) => {
        // Any other failure leaves open that it is made later still.
        if (error instanceof RefusedByService && error.status >= 400 && error.status < 500)
          made.mayBeDone = false;
        throw error;
      });
      if (!isMadeUp(one, input)) throw odd('It answered with somebody else.');
      made.one = one;
      await expectStored(one.id, input, ask);
    });
    if (made.one) await changesOf(made.one, input, ask, tryOne);
  } finally {
    const { one } = made;
    await tryOne('a deletion', 'delete subscribers', async () => {
      const query = { Username: input.username, PageSize: 25 };
      const found = one ? [one] : (await ask('listSubscribers', { query })).items;
      const own = found.filter(({ username }) => username === input.username);
      for (const { id } of own) await remove(id, ask);
      isLeft = made.mayBeDone && own.length === 0;
      if (own.length === 0) throw odd('This was not tried, because there is no subscriber to delete.');
    });
  }
  return isLeft
    ? `A made-up subscriber may be left there: ${input.username}${made.one ? `, ID ${made.one.id}` : ''}. Delete it.`
    : null;
}

/** By the email where it has put something before the username. Nobody else is to be changed, as where `record` is wrong. */
const isMadeUp = ({ username, email }: SubscriberDetail, input: SubscriberInput) =>
  username === input.username || email.toLowerCase() === input.email;

async function remove(id: number, ask: Ask): Promise<void> {
  await ask('deleteSubscriber', { params: { id } }, 'support');
  await expectNotFound(ask('getSubscriber', { params: { id }, query: {} }));
}

async function changesOf(
  { id, accessToken: before }: SubscriberDetail,
  input: SubscriberInput,
  ask: Ask,
  tryOne: Try,
): Promise<void> {
  const params = { id };
  const edited = { ...input, maxConnections: 4, isTrial: false, note: 'Changed.', countries: ['NO', 'SE'] };
  await tryOne('a change of all fields', 'edit subscribers', async () => {
    await ask('updateSubscriber', { params, body: edited }, 'support');
    await expectStored(id, edited, ask);
  });
  await tryOne('a change of one field', 'keep the fields that they leave alone', async () => {
    const body = { note: 'Changed again.' };
    try {
      await ask('updateSubscriber', { params, body }, 'support');
      await expectStored(id, { ...edited, ...body }, ask);
    } catch (error) {
      const isOther = error instanceof Problem && ['bad-upstream', 'invalid-input'].includes(error.code);
      throw isOther ? odd(`${error.message} Try omittedFieldsAreReset in UPSTREAM_DIALECT.`) : error;
    }
  });
  await tryOne('a new access token', 'end the access of an old token', async () => {
    const { accessToken } = await ask('regenerateToken', { params }, 'support');
    if (accessToken === before) throw odd('It is the old one.');
    await expectNotFound(ask('getSubscriberByToken', { params: { accessToken: before }, query: {} }));
    await ask('getSubscriberByToken', { params: { accessToken }, query: {} });
  });
}

async function expectStored(id: number, sent: SubscriberInput, ask: Ask): Promise<void> {
  const found = await ask('getSubscriber', { params: { id }, query: { include: [...listNames] } });
  const others = Object.keys(differing(found, sent));
  if (others.length === 0) return;
  const hint = others.includes('expiresAt') ? ' Check timeZone in UPSTREAM_DIALECT.' : '';
  throw odd(`It stored something else in ${others.join(', ')}.${hint}`);
}
