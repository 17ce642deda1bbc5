import { describe, expect, test } from 'vitest';
import { jobLimits, NewJob, StartJob } from '../../../src/contract/bff/job.ts';

const some = { targets: { ids: [1, 2] } };
const isAccepted = (body: unknown) => NewJob.safeParse(body).success;

describe('whom a job is for', () => {
  test.each([
    [{ ids: [1] }],
    [{ query: { Expired: 'true', IsTrial: 'true' } }],
    [{ query: { Username: 'ann', SortBy: 'username' } }],
    [{ job: 'abc', result: 'skipped' }],
    [{ all: true }],
  ])('may be %j', (targets) => {
    expect(isAccepted({ kind: 'delete', targets })).toBe(true);
  });

  test.each([
    [undefined],
    [{}],
    [{ ids: [] }],
    [{ ids: [0] }],
    [{ ids: ['1'] }],
    [{ ids: Array.from({ length: jobLimits.ids + 1 }, (_, index) => index + 1) }],
    // An empty filter never means everybody by accident.
    [{ query: {} }],
    [{ query: { SortBy: 'username' } }],
    [{ query: { Username: '', Email: '' } }],
    [{ query: { Page: '1' } }],
    [{ query: { Expirde: 'true' } }],
    [{ all: false }],
    [{ ids: [1], all: true }],
    [{ job: 'abc' }],
  ])('may not be %j', (targets) => {
    expect(isAccepted({ kind: 'delete', targets })).toBe(false);
  });
});

test.each([
  ['too many IDs', { ids: Array.from({ length: jobLimits.ids + 1 }, (_, index) => index + 1) }],
  ['half an ID', { ids: [1.5] }],
  ['nobody', { all: false }],
])('a job for %s is refused with what it can be for', (_, targets) => {
  const message = NewJob.safeParse({ kind: 'delete', targets }).error?.issues[0]?.message;
  expect(message).toBe('Use one of: 1 to 5000 IDs, a filter, the rows of another job, or "all": true.');
});

describe('what a job does', () => {
  test.each([
    [{ kind: 'extend', change: { by: { months: 1 } } }],
    [{ kind: 'extend', change: { by: { to: '2027-01-01T00:00:00+01:00' }, from: 'expiry', endTrial: true } }],
    [{ kind: 'update', change: { set: { hls: true } } }],
    [{ kind: 'update', change: { add: { bundles: [1] }, remove: { countries: ['NO'] }, appendNote: 'Hi.' } }],
    [{ kind: 'regenerate' }],
    [{ kind: 'delete', reason: 'Closed.' }],
  ])('may be %j', (body) => {
    expect(isAccepted({ ...some, ...body })).toBe(true);
  });

  test.each([
    [{ kind: 'undo' }],
    [{ kind: 'extend' }],
    [{ kind: 'extend', change: { by: { months: 0 } } }],
    [{ kind: 'extend', change: { by: { months: 1, days: 1 } } }],
    [{ kind: 'extend', change: { by: { to: 'tomorrow' } } }],
    [{ kind: 'extend', change: { by: { days: 1 }, zone: 'Europe/Nowhere' } }],
    [{ kind: 'update', change: {} }],
    [{ kind: 'update', change: { set: {}, add: {} } }],
    [{ kind: 'update', change: { set: { username: 'same' } } }],
    [{ kind: 'update', change: { set: { maxConnections: 0 } } }],
    [{ kind: 'update', change: { appendNote: ' ' } }],
    [{ kind: 'delete', change: { set: { hls: true } } }],
    [{ kind: 'delete', reason: 'two\nlines' }],
  ])('may not be %j', (body) => {
    expect(isAccepted({ ...some, ...body })).toBe(false);
  });

  test('is by default from the later of today and the old expiry, in UTC, and leaves trials trials', () => {
    const body = { ...some, kind: 'extend', change: { by: { days: 7 } } };
    expect(NewJob.parse(body).change).toEqual({
      by: { days: 7 },
      from: 'later',
      endTrial: false,
      zone: 'UTC',
    });
  });
});

test.each([
  [{}, true],
  [{ limit: 10 }, true],
  [{ limit: 0 }, false],
  [{ limit: 1.5 }, false],
  [{ most: 10 }, false],
])('a start with %j is accepted: %s', (body, accepted) => {
  expect(StartJob.safeParse(body).success).toBe(accepted);
});
