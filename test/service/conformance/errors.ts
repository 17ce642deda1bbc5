import { describe, expect, it } from 'vitest';
import { bodyLimit } from '../../../src/contract/http/router.ts';
import { expectOutcomes } from '../../support/contract/outcomes.ts';
import { problemLine } from '../../support/service/problem-of.ts';
import type { Begin } from './subject.ts';

/** An id that nobody has yet, but somebody could. */
const nobody = '9007199254740991';

export function errors(begin: Begin): void {
  /** Sends lines such as `GET /subscribers`, with the least body that is needed. */
  const lineOf = async (line: string, token?: null) => {
    const { send } = await begin();
    const [method = '', path = ''] = line.split(' ');
    const sending = method === 'PUT' ? { body: { note: 'x' } } : {};
    const response = await send(method, path, { ...sending, ...(token === null && { token }) });
    const allow = response.headers.get('Allow');
    return `${await problemLine(response)}${allow === null ? '' : ` (${allow})`}`;
  };

  it('says that there is no such subscriber or address', async () => {
    await expectOutcomes(
      {
        '404 no-such-subscriber': [
          `GET /subscribers/${nobody}`,
          'GET /subscribers/by-token/nobody',
          'GET /subscribers/by-token/%25',
          `PUT /subscribers/${nobody}`,
          `DELETE /subscribers/${nobody}`,
          `POST /subscribers/${nobody}/regenerate-token`,
        ],
        '404 no-such-address': [
          'GET /',
          'GET /subscribers/',
          'GET /Subscribers',
          'GET /subscribers/1/x',
          'GET /v0/subscribers',
          'GET /oauth',
        ],
      },
      lineOf,
    );
  });

  it('names an id that is none', async () => {
    const numbers = ['x', '0', '-1', '1.0', '01', '1e1', '9007199254740993', 'by-token'];
    const encoded = ['%2531', '%20', '%00', '%E0%A4%A', '1;x=2'];
    const lines = [...numbers, ...encoded].flatMap((id) => [
      `GET /subscribers/${id}`,
      `PUT /subscribers/${id}`,
      `DELETE /subscribers/${id}`,
      `POST /subscribers/${id}/regenerate-token`,
    ]);
    await expectOutcomes({ '422 invalid-input: id': lines }, lineOf);
  });

  it('names the methods that a path takes, whoever asks', async () => {
    await expectOutcomes(
      {
        '405 method-not-allowed (POST)': ['GET /oauth/token', 'GET /subscribers/1/regenerate-token'],
        '405 method-not-allowed (GET, HEAD, POST)': ['PATCH /subscribers'],
        '405 method-not-allowed (GET, HEAD, PUT, DELETE)': ['POST /subscribers/1', 'OPTIONS /subscribers/1'],
        '405 method-not-allowed (GET, HEAD)': ['DELETE /subscribers/by-token/x', 'PUT /subscriber-statuses'],
      },
      (line) => lineOf(line, null),
    );
  });

  it('says that an operation takes no body', async () => {
    const { send } = await begin();
    const targets = [`DELETE /subscribers/${nobody}`, `POST /subscribers/${nobody}/regenerate-token`];
    await expectOutcomes({ '422 invalid-input: body': targets }, async (target) => {
      const [method = '', path = ''] = target.split(' ');
      return problemLine(await send(method, path, { body: {} }));
    });
  });
}

const unreadable = ['', '{', 'null', '[]', '7', '"x"', '\uFEFF{}', '{"username":}', '['.repeat(10_000)];

/** Errors of operations that take a body. */
export function bodyErrors(begin: Begin): void {
  describe.each([
    ['POST', '/subscribers'],
    ['PUT', `/subscribers/${nobody}`],
  ])('the body of %s %s', (method, path) => {
    it('is refused if it is too large, no JSON, or cannot be read', async () => {
      const { send, anna } = await begin();
      const json = JSON.stringify(anna);
      const types = ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx', ''];
      await expectOutcomes<[body: string, type: string]>(
        {
          '413 too-large': [[JSON.stringify({ ...anna, note: 'x'.repeat(bodyLimit) }), 'application/json']],
          '415 not-json': types.map((type) => [json, type]),
          '422 invalid-input: body': unreadable.map((body) => [body, 'application/json']),
        },
        async ([body, type]) =>
          problemLine(await send(method, path, { body, headers: { 'Content-Type': type } })),
      );
    });

    it('is refused by the names of unknown fields, and changes nothing', async () => {
      const { client, send, anna } = await begin();
      const unknown = ['id', 'accessToken', 'status', 'userName', '__proto__', 'constructor'];
      const expected = Object.fromEntries(unknown.map((field) => [`422 invalid-input: ${field}`, [field]]));
      await expectOutcomes(expected, async (field) => {
        const body = `{"${field}":1,${JSON.stringify(anna).slice(1)}`;
        return problemLine(await send(method, path, { body }));
      });
      const query = { Username: anna.username };
      expect((await client.listSubscribers({ query })).data.totalCount).toBe(0);
    });

    it('has each of several faults named', async () => {
      const { send, anna } = await begin();
      const body = { ...anna, email: 'x', maxConnections: 0, bundles: [1, 2, 0], countries: ['no'] };
      const names = 'bundles.2, countries.0, email, maxConnections';
      expect(await problemLine(await send(method, path, { body }))).toBe(`422 invalid-input: ${names}`);
    });
  });
}
