import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readActivityAddress, toActivityQuery } from '../../../src/app/activity/address.ts';

const now = Date.parse('2026-06-01T12:00:00Z');
const requested = (raw: Record<string, unknown>) => toActivityQuery(readActivityAddress(raw), now);

describe('the address of the activity page', () => {
  it('stays as it is if it makes sense', () => {
    const address = {
      person: 'tab',
      operation: 'deleteSubscriber',
      from: '2026-05-01',
      outcome: 'refused',
      subscriber: '#7',
      totals: true,
      page: 2,
    };
    expect(readActivityAddress(address)).toEqual(address);
    expect(readActivityAddress({ period: '7-days' })).toEqual({ period: '7-days' });
    const staff = { kind: 'staff', about: 'ola' };
    expect(readActivityAddress(staff)).toEqual(staff);
  });

  it.each<[Record<string, unknown>]>([
    [{ page: '1' }],
    [{ page: '0' }],
    [{ page: 'x' }],
    [{ operation: 'issueToken' }],
    [{ person: 'nobody at all!' }],
    [{ period: 'toString' }],
    [{ from: '2026-02-30' }],
    [{ to: 'yesterday' }],
    [{ subscriber: ' ' }],
    [{ subscriber: { a: 1 } }],
    [{ subscriber: 'x'.repeat(65) }],
    [{ subscriber: 'qGz0xk3vW1yJ8nTfRb5uLd7sPa2eHcXm4oQi9wYtZK0' }],
    [{ subscriber: 'https://tv.example/list?token=qGz0xk3vW1yJ8nTfRb5uLd7sPa2eHcXm4oQi9wYtZK0' }],
    [{ subscriber: 'qGz0xk3vW1yJ8nTfRb5uLd' }],
    [{ outcome: 'x' }],
    [{ about: 'nobody at all!' }],
    [{ totals: 'no' }],
    [{ other: 'x', from: '' }],
  ])('loses nonsense and defaults: %j', (raw) => {
    expect(readActivityAddress(raw)).toEqual({});
  });

  it('loses a filter that matches nothing of its kind', () => {
    const filters = { about: 'ola', outcome: 'failed' };
    expect(readActivityAddress(filters)).toEqual(filters);
    expect(readActivityAddress({ ...filters, kind: 'staff' })).toEqual({ kind: 'staff', about: 'ola' });
    expect(readActivityAddress({ ...filters, kind: 'change' })).toEqual({
      kind: 'change',
      outcome: 'failed',
    });
    expect(readActivityAddress({ ...filters, operation: 'signIn' })).toEqual({ operation: 'signIn' });
  });

  it('keeps days in the wrong order, which filter nothing, and loses days if it has a period', () => {
    const [from, to] = ['2026-05-01', '2026-06-01'];
    const reversed = readActivityAddress({ from: to, to: from });
    expect(reversed).toEqual({ from: to, to: from });
    expect(toActivityQuery(reversed, now)).toEqual(toActivityQuery({}, now));
    expect(readActivityAddress({ from, to, period: 'today' })).toEqual({ period: 'today' });
  });

  it('survives being read and written, whatever it has', () => {
    const filters = ['person', 'about', 'kind', 'operation', 'outcome', 'period', 'from', 'to'];
    const names = [...filters, 'subscriber', 'totals', 'page'];
    const anything = fc.dictionary(fc.constantFrom(...names), fc.anything());
    fc.assert(
      fc.property(anything, (raw) => {
        const address = readActivityAddress(raw);
        expect(readActivityAddress({ ...address })).toEqual(address);
        toActivityQuery(address, now);
      }),
      { seed: 4 },
    );
  });
});

describe('the query of the activity page', () => {
  it('includes a whole day, in the user’s time zone', () => {
    expect(requested({ from: '2026-05-30', to: '2026-05-30' })).toMatchObject({
      from: '2026-05-29T22:00:00.000Z',
      to: '2026-05-30T22:00:00.000Z',
    });
  });

  it.each([
    ['today', '2026-05-31T22:00:00.000Z'],
    ['7-days', '2026-05-25T22:00:00.000Z'],
    ['30-days', '2026-05-02T22:00:00.000Z'],
  ])('begins the period %s at %s, without an end', (period, from) => {
    expect(requested({ period })).toEqual({ from, pageSize: 25 });
  });

  it('has the parameter names of the BFF', () => {
    expect(requested({ person: 'tab', operation: 'createSubscriber', subscriber: '#7', page: '2' })).toEqual({
      staff: 'tab',
      operation: 'createSubscriber',
      subscriberId: 7,
      page: 2,
      pageSize: 25,
    });
  });

  it.each([
    ['#7', { subscriberId: 7 }],
    ['7', { username: '7' }],
    [' anna ', { username: 'anna' }],
    ['#0', { username: '#0' }],
    ['#anna', { username: '#anna' }],
  ])('finds the subscriber %j', (subscriber, query) => {
    expect(requested({ subscriber })).toEqual({ ...query, pageSize: 25 });
  });

  it('has the account that something was done to, and how it ended', () => {
    const address = { kind: 'staff', about: 'ola' };
    expect(requested(address)).toEqual({ kind: 'staff', account: 'ola', pageSize: 25 });
    expect(requested({ kind: 'sign-in', outcome: 'refused' })).toMatchObject({ outcome: 'refused' });
  });
});
