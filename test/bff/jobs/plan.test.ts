import { describe, expect, it } from 'vitest';
import { NewJob } from '../../../src/contract/bff/job.ts';
import { limits } from '../../../src/contract/service/limits.ts';
import type { SubscriberDetail } from '../../../src/contract/service/subscriber.ts';
import { planChange } from '../../../src/bff/jobs/plan.ts';
import { entered } from '../../support/people.ts';

const now = Date.parse('2026-01-15T12:00:00Z');
const record: SubscriberDetail = {
  ...entered,
  id: 1,
  accessToken: 'token',
  status: 1,
  expiresAt: '2026-02-01T12:00:00.000Z',
  isTrial: true,
  note: 'First.',
  bundles: [1, 2],
  ipAddresses: ['2001:db8::1'],
  countries: ['NO'],
};

/** The plan for what a client sends. */
function plan(kind: 'extend' | 'update', change: unknown, changes: Partial<SubscriberDetail> = {}) {
  const job = NewJob.parse({ kind, targets: { ids: [1] }, change });
  return planChange(job, { ...record, ...changes }, now);
}

describe('an extension by a job', () => {
  it('starts at the later of now and the old expiry', () => {
    expect(plan('extend', { by: { months: 1 } })).toMatchObject({
      result: 'change',
      before: { expiresAt: '2026-02-01T12:00:00.000Z' },
      after: { expiresAt: '2026-03-01T12:00:00.000Z' },
    });
    const expired = { expiresAt: '2025-12-24T00:00:00.000Z' };
    expect(plan('extend', { by: { days: 7 } }, expired).after).toEqual({
      expiresAt: '2026-01-22T23:59:59.000Z',
    });
    expect(plan('extend', { by: { days: 7 }, from: 'expiry' }, expired).after).toEqual({
      expiresAt: '2025-12-31T00:00:00.000Z',
    });
  });

  it('leaves whoever has a later date already', () => {
    const later = plan('extend', { by: { to: '2026-01-20T00:00:00Z' } });
    expect(later).toMatchObject({ result: 'unchanged', why: 'already-later', after: null });
    const same = plan('extend', { by: { to: record.expiresAt } });
    expect(same).toMatchObject({ result: 'unchanged', why: 'already-so' });
    // The trial still ends.
    expect(plan('extend', { by: { to: '2026-01-20T00:00:00Z' }, endTrial: true }).after).toEqual({
      isTrial: false,
    });
  });

  it('ends the trial of trials only', () => {
    const change = { by: { days: 1 }, endTrial: true };
    expect(plan('extend', change).after).toMatchObject({ isTrial: false });
    expect(plan('extend', change, { isTrial: false }).after).not.toHaveProperty('isTrial');
  });

  it('skips whose expiry can’t be read: they may never expire, and its undo could not bring that back', () => {
    const unreadable = { expiresAt: '' };
    const changes = [
      { by: { days: 7 }, from: 'expiry' },
      { by: { days: 7 } },
      { by: { to: '2027-01-01T00:00:00.000Z' } },
    ] as const;
    for (const change of changes)
      expect(plan('extend', change, unreadable)).toMatchObject({
        result: 'skipped',
        detail: expect.stringMatching(/^expiresAt: .*can’t be read/),
      });
  });

  it('skips with a sentence whoever it would take past the last date that there is', () => {
    const last = { expiresAt: '9999-12-30T00:00:00.000Z' };
    expect(plan('extend', { by: { days: 7 } }, last)).toMatchObject({
      result: 'skipped',
      why: 'invalid-input',
      detail: expect.stringContaining('expiresAt: '),
      after: null,
    });
  });
});

describe('an edit by a job', () => {
  it('sets fields, and says nothing of those that are so already', () => {
    expect(plan('update', { set: { hls: record.hls, maxConnections: 5 } })).toMatchObject({
      before: { maxConnections: record.maxConnections },
      after: { maxConnections: 5 },
    });
    expect(plan('update', { set: { hls: record.hls } })).toMatchObject({
      result: 'unchanged',
      why: 'already-so',
    });
  });

  it('adds to lists and removes from them, each value once, however it is written', () => {
    const change = {
      add: { bundles: [2, 3], ipAddresses: ['2001:DB8:0::1', '192.0.2.1'] },
      remove: { bundles: [1], countries: ['NO', 'SE'] },
    };
    expect(plan('update', change).after).toEqual({
      bundles: [2, 3],
      ipAddresses: ['2001:db8::1', '192.0.2.1'],
      countries: [],
    });
  });

  it('appends to the note on a line of its own', () => {
    expect(plan('update', { appendNote: 'Second.' }).after).toEqual({ note: 'First.\nSecond.' });
    expect(plan('update', { appendNote: 'Only.' }, { note: '' }).after).toEqual({ note: 'Only.' });
  });

  it('skips whom the service would not accept', () => {
    const bundles = Array.from({ length: limits.bundles }, (_, index) => index + 1);
    expect(plan('update', { add: { bundles: [999] } }, { bundles })).toMatchObject({
      result: 'skipped',
      why: 'invalid-input',
      detail: expect.stringContaining('bundles: '),
    });
    const note = 'x'.repeat(limits.note);
    expect(plan('update', { appendNote: 'more' }, { note })).toMatchObject({ result: 'skipped' });
  });
});
