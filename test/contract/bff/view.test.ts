import * as z from 'zod/mini';
import { describe, expect, it } from 'vitest';
import { AddViewBody, ChangeViewBody, ViewQuery } from '../../../src/contract/bff/view.ts';
import { faultsOf, sentencesOf } from '../../support/contract/faults.ts';
import { expectOutcomes } from '../../support/contract/outcomes.ts';

const token = 'Aa1-'.repeat(10) + 'xyz';
const query = {
  Username: 'ann',
  StatusId: '2',
  Expired: 'true',
  IsTrial: 'true',
  SortBy: 'expiresAt',
} as const;
const namesOf = (...given: Parameters<typeof faultsOf>) => Object.keys(faultsOf(...given));

describe('the query of a view', () => {
  it('is written as in an address, and read back unchanged', () => {
    const read = z.decode(ViewQuery, query);
    expect(read).toEqual({ Username: 'ann', StatusId: 2, Expired: true, IsTrial: true, SortBy: 'expiresAt' });
    expect(z.encode(ViewQuery, read)).toEqual(query);
  });

  it('has no page, token or unknown member, and nothing that the list would refuse', () => {
    for (const member of ['Page', 'PageSize', 'AccessToken', 'include', 'sort', '__proto__']) {
      const odd: unknown = JSON.parse(`{"${member}":"2"}`);
      expect(namesOf(AddViewBody, { name: 'Late', query: odd })).toEqual([`query.${member}`]);
    }
    const wrong = { StatusId: 'x', Expired: 'perhaps', SortBy: 'shoe', Email: 'a\0b' };
    expect(namesOf(ViewQuery, wrong)).toEqual(['Email', 'StatusId', 'Expired', 'SortBy']);
  });
});

describe('a view', () => {
  it('holds no access token, wherever it might be put', () => {
    const texts = { Username: token, Email: `http://x.test/${token}/list.m3u` };
    const faults = faultsOf(AddViewBody, { name: `of ${token}`, query: texts });
    expect(Object.keys(faults)).toEqual(['name', 'query.Username', 'query.Email']);
    expect(JSON.stringify(faults)).not.toContain(token);
  });

  it('has a name of up to 64 characters on one line, trimmed', async () => {
    expect(z.decode(AddViewBody, { name: ` ${'é'.repeat(64)} `, query }).name).toBe('é'.repeat(64));
    await expectOutcomes(
      {
        'name: Enter a name.': ['', ' \t '],
        'name: 65 characters, limit 64: remove 1.': ['n'.repeat(65)],
        'name: Remove line breaks and control characters.': ['a\nb'],
      },
      (name) => sentencesOf(AddViewBody, { name, query }),
    );
  });

  it('is changed by known fields alone, to a place that there can be and a query that a view has', () => {
    for (const place of [-1, 1.5, 51, '1']) expect(namesOf(ChangeViewBody, { place })).toEqual(['place']);
    expect(faultsOf(ChangeViewBody, { query, shared: true })).toEqual({});
    const wrong = { owner: 'ann', shared: 'yes', query: { ...query, Page: '2' } };
    expect(namesOf(ChangeViewBody, wrong).toSorted()).toEqual(['owner', 'query.Page', 'shared']);
  });
});
