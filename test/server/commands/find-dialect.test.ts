import { describe, expect, it } from 'vitest';
import { Dialect } from '../../../src/bff/upstream/dialect/shape.ts';
import { examineUpstream } from '../../../src/server/commands/check-upstream.ts';
import { findDialect } from '../../../src/server/commands/find-dialect.ts';
import {
  createOtherService,
  otherDialect,
  otherUpstream,
  strictly,
} from '../../support/bff/other-service.ts';
import { createRestService, restBundles, restDialect, restUpstream } from '../../support/bff/rest-service.ts';

const now = () => Date.parse('2026-01-01T00:00:00Z');

describe('the dialect that the check finds', () => {
  const random = (bytes: number) => new Uint8Array(bytes);

  it.each(['comma', 'repeat', 'single'] as const)(
    'is that of a service of another kind, which takes include by %s',
    async (include) => {
      const service = createRestService({ count: 250 }, { include });
      Object.assign(service.rows.get(1) ?? {}, { bundles: [3], countries: ['NO'] });
      // How scopes are separated and what the audience is, only its operator knows.
      const token = { scopes: 'commas', audience: 'subscribers' };
      const { dialect: _, ...upstream } = restUpstream(service.fetch);
      const found = await findDialect({
        upstream: { ...upstream, dialect: Dialect.parse({ token }) },
        clock: now,
        random,
      });
      const { record, list, statuses, maxPageSize } = restDialect;
      const learnt = {
        record,
        list,
        statuses,
        maxPageSize,
        include,
        token: { ...token, credentials: 'basic' },
      };
      expect(found).toMatchObject(learnt);
    },
  );

  it('is that of a service that allows only what the seed shows, but for its paths', async () => {
    const { customers, fetch } = createOtherService({ count: 120, now }, { strict: true });
    Object.assign(customers.get(1) ?? {}, { bundles: [3], countries: ['NO'] });
    const upstream = otherUpstream(fetch, strictly);
    const { operations, omittedFieldsAreReset: _, errors: __, ...seen } = otherDialect;
    const learnt = { ...seen, ...strictly };
    const dialect = Dialect.parse({ operations });
    const found = await findDialect({ upstream: { ...upstream, dialect }, clock: now, random });
    expect(found).toMatchObject(learnt);
    const lines: string[] = [];
    const say = (line: string) => void lines.push(line);
    const lacking = {
      upstream: { ...upstream, dialect: found ?? dialect },
      clock: now,
      random,
      say,
      write: true,
    };
    expect(await examineUpstream(lacking)).toBe(false);
    expect(lines.join('\n')).toMatch(/can't keep .* Try omittedFieldsAreReset/);
    expect(await examineUpstream({ ...lacking, upstream })).toBe(true);
    expect(customers.size).toBe(120);
  });

  it('is checked for the names of bundles', async () => {
    const { fetch } = createRestService({ count: 3 });
    const check = async (bundles: object) => {
      const lines: string[] = [];
      const say = (line: string) => void lines.push(line);
      const upstream = restUpstream(fetch, { bundles });
      await examineUpstream({ upstream, clock: now, random, say });
      return lines.find((line) => line.startsWith('the names of bundles'));
    };
    expect(await check(restBundles)).toContain('They can see bundles by name.');
    expect(await check({ ...restBundles, name: '/name' })).toContain('Check bundles in UPSTREAM_DIALECT.');
    expect(await check({ ...restBundles, path: '/nowhere' })).toContain('the paths in UPSTREAM_DIALECT');
  });

  it('is the given one where that fits', async () => {
    const other = createOtherService({ count: 300, now });
    const upstream = otherUpstream(other.fetch);
    expect(await findDialect({ upstream, clock: now, random })).toEqual(upstream.dialect);
  });

  it('keeps where the list is, also where the answer has another one before it, or another count', async () => {
    const other = createOtherService({ count: 300, now });
    const upstream = otherUpstream(async (request) => {
      const answer = await other.fetch(request);
      if (!request.url.includes('/search')) return answer;
      return Response.json({ Count: 7, Advice: ['Ask for less.'], ...(await answer.json()) });
    });
    expect(await findDialect({ upstream, clock: now, random })).toEqual(upstream.dialect);
  });

  it('keeps the numbers of statuses, which only an operator knows', async () => {
    const statuses = { items: '', id: '/id', name: '', ids: { Active: 10, 'On hold': 30, Closed: 20 } };
    const { fetch } = createOtherService({ count: 20, now });
    const answer = async (request: Request) =>
      request.url.includes('/states') ? Response.json(Object.keys(statuses.ids)) : fetch(request);
    const upstream = otherUpstream(answer, { statuses });
    const found = await findDialect({ upstream, clock: now, random });
    expect(found).toMatchObject({ statuses });
  });

  it('keeps what a service does without a subscriber where the answer to that is lost', async () => {
    const other = createOtherService({ count: 30, now });
    const upstream = otherUpstream(async (request) =>
      request.url.includes('2147483647') ? new Response('', { status: 503 }) : other.fetch(request),
    );
    expect(await findDialect({ upstream, clock: now, random })).toEqual(upstream.dialect);
  });
});
