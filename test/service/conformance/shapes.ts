import { describe, expect, it, test } from 'vitest';
import { problemLine } from '../../support/service/problem-of.ts';
import { expectOutcomes } from '../../support/contract/outcomes.ts';
import { tokenRequest } from '../../support/service/calls.ts';
import type { Begin } from './subject.ts';

// Written out once more, so that a field that is lost or moved in the contract is missed here.
const required = ['username', 'email', 'expiresAt'];
const usual = {
  maxConnections: 1,
  isTrial: false,
  note: '',
  hls: true,
  mpegTs: true,
  bundles: [],
  ipAddresses: [],
  userAgents: [],
  countries: [],
} as const;
const subscriber =
  'id accessToken username email expiresAt maxConnections isTrial note status hls mpegTs'.split(' ');
const detail = [...subscriber, 'bundles', 'ipAddresses', 'userAgents', 'countries'];

/** The names of an answer's fields, in the order in which they came. */
const namesOf = async (answer: Response | Promise<Response>) =>
  Object.keys((await (await answer).json()) as object);

/** Requests and answers, field by field. */
export function shapes(begin: Begin): void {
  test('a Subscriber has eleven fields, a SubscriberDetail the four lists too, in this order', async () => {
    const { send, annaWhole } = await begin();
    const created = await send('POST', '/subscribers', { body: annaWhole });
    const { id, accessToken } = (await created.clone().json()) as { id: number; accessToken: string };
    expect(await namesOf(created)).toEqual(detail);
    const path = `/subscribers/${id}`;
    expect(await namesOf(send('GET', path))).toEqual(subscriber);
    expect(await namesOf(send('GET', `/subscribers/by-token/${accessToken}`))).toEqual(subscriber);
    expect(await namesOf(send('POST', `${path}/regenerate-token`))).toEqual(subscriber);
    expect(await namesOf(send('PUT', path, { body: {} }))).toEqual(detail);
    const list = await send('GET', `/subscribers?Username=${encodeURIComponent(annaWhole.username)}`);
    const page = (await list.json()) as { items: object[] };
    expect(page.items.map((one) => Object.keys(one))).toEqual([subscriber]);
    expect(Object.keys(page)).toEqual(['items', 'page', 'pageSize', 'totalCount', 'totalPages']);
    expect(await namesOf(send('DELETE', path))).toEqual(detail);
  });

  test('a status has id and name, a token access_token, token_type, expires_in and scope', async () => {
    const caller = await begin();
    const statuses = (await (await caller.send('GET', '/subscriber-statuses')).json()) as object[];
    expect(new Set(statuses.map((status) => Object.keys(status).join()))).toEqual(new Set(['id,name']));
    const names = ['access_token', 'token_type', 'expires_in', 'scope'];
    expect(await namesOf(caller.fetch(tokenRequest(caller, {})))).toEqual(names);
    const refusal = caller.fetch(tokenRequest(caller, { scope: null }));
    expect(await namesOf(refusal)).toEqual(['error', 'error_description']);
  });

  test('an error has type, title, status, detail and requestId, and errors by field on 422', async () => {
    const { send } = await begin();
    const usually = ['type', 'title', 'status', 'detail', 'requestId'];
    expect(await namesOf(send('GET', '/nowhere'))).toEqual(usually);
    const refused = await send('GET', '/subscribers?Page=0');
    expect(await namesOf(refused.clone())).toEqual([...usually, 'errors']);
    expect(await refused.json()).toHaveProperty('errors', { Page: [expect.stringMatching(/^[A-Z].+\.$/)] });
  });

  describe('a body', () => {
    it('needs the three required fields, and each is named that it lacks', async () => {
      const { send, annaWhole } = await begin();
      const create = async (body: object) => problemLine(await send('POST', '/subscribers', { body }));
      expect(await create({})).toBe('422 invalid-input: email, expiresAt, username');
      const expected = Object.fromEntries(required.map((field) => [`422 invalid-input: ${field}`, [field]]));
      await expectOutcomes(expected, (field) => create({ ...annaWhole, [field]: undefined }));
    });

    it('has a default for each other field in a create, and changes it alone in an update', async () => {
      for (const [field, value] of Object.entries(usual)) {
        const { client, annaWhole, named } = await begin();
        const { [field as 'note']: _, ...without } = { ...annaWhole, username: named('Bert') };
        const { data: created } = await client.createSubscriber({ body: without });
        expect(created, field).toEqual({ ...created, ...without, [field]: value });
        const { data } = await client.createSubscriber({ body: annaWhole });
        const written = await client.updateSubscriber({ params: { id: data.id }, body: { [field]: value } });
        expect(written.data, field).toEqual({ ...data, [field]: value });
      }
    });
  });
}
