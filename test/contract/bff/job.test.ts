import { describe, expect, it } from 'vitest';
import { jobLimits, LeaveOut, NewJob, StartJob } from '../../../src/contract/bff/job.ts';
import { expectOutcomes } from '../../support/contract/outcomes.ts';

const some = { targets: { ids: [1, 2] } };
const checked = (body: unknown) => (NewJob.safeParse(body).success ? 'accepted' : 'refused');
const tooMany = { ids: Array.from({ length: jobLimits.ids + 1 }, (_, index) => index + 1) };

describe('a job', () => {
  it('is for IDs, a filter, the rows of another job, or all', async () => {
    await expectOutcomes<unknown>(
      {
        accepted: [
          { ids: [1] },
          { query: { Expired: 'true', IsTrial: 'true' } },
          { query: { Username: 'ann', SortBy: 'username' } },
          { job: 'abc', result: 'skipped' },
          { all: true },
        ],
        refused: [
          undefined,
          {},
          { ids: [] },
          { ids: [0] },
          { ids: ['1'] },
          tooMany,
          // An empty filter never means everybody by accident.
          { query: {} },
          { query: { SortBy: 'username' } },
          { query: { include: 'bundles' } },
          { query: { UserAgent: '' } },
          { query: { Username: '', Email: '' } },
          // The list takes these for filters that are not set.
          ...[' ', '\u3000', '\ufeff', '\u00a0', '\u0301', '\u00b4'].flatMap((blank) => [
            { query: { Username: blank } },
            { query: { Username: '', Email: blank } },
          ]),
          { query: { Expired: 'false' } },
          { query: { Page: '1' } },
          { query: { Expirde: 'true' } },
          { all: false },
          { ids: [1], all: true },
          { job: 'abc' },
        ],
      },
      (targets) => checked({ kind: 'delete', targets }),
    );
    const expected = 'Use one of: 1 to 5000 IDs, a filter, the rows of another job, or "all": true.';
    await expectOutcomes<unknown>({ [expected]: [tooMany, { ids: [1.5] }, { all: false }] }, (targets) =>
      String(NewJob.safeParse({ kind: 'delete', targets }).error?.issues[0]?.message),
    );
  });

  it('changes what its kind says, and something', async () => {
    await expectOutcomes<object>(
      {
        accepted: [
          { kind: 'extend', change: { by: { months: 1 } } },
          {
            kind: 'extend',
            change: { by: { to: '2027-01-01T00:00:00+01:00' }, from: 'expiry', endTrial: true },
          },
          { kind: 'update', change: { set: { hls: true } } },
          {
            kind: 'update',
            change: { add: { bundles: [1] }, remove: { countries: ['NO'] }, appendNote: 'Hi.' },
          },
          { kind: 'regenerate' },
          { kind: 'delete', reason: 'Closed.' },
        ],
        refused: [
          { kind: 'undo' },
          { kind: 'extend' },
          { kind: 'extend', change: { by: { months: 0 } } },
          { kind: 'extend', change: { by: { months: 1, days: 1 } } },
          { kind: 'extend', change: { by: { to: 'tomorrow' } } },
          { kind: 'extend', change: { by: { days: 1 }, zone: 'Europe/Nowhere' } },
          { kind: 'update', change: {} },
          { kind: 'update', change: { set: {}, add: {} } },
          { kind: 'update', change: { set: { username: 'same' } } },
          { kind: 'update', change: { set: { maxConnections: 0 } } },
          { kind: 'update', change: { appendNote: ' ' } },
          { kind: 'delete', change: { set: { hls: true } } },
          { kind: 'delete', reason: 'two\nlines' },
        ],
      },
      (body) => checked({ ...some, ...body }),
    );
  });

  it('extends by default from the later of today and the old expiry, in UTC, and leaves trials trials', () => {
    const body = { ...some, kind: 'extend', change: { by: { days: 7 } } };
    expect(NewJob.parse(body).change).toEqual({
      by: { days: 7 },
      from: 'later',
      endTrial: false,
      zone: 'UTC',
    });
  });

  it('starts with all of its rows or a number of them', () => {
    for (const body of [{}, { limit: 10 }]) expect(StartJob.safeParse(body).success).toBe(true);
    for (const body of [{ limit: 0 }, { limit: 1.5 }, { most: 10 }])
      expect(StartJob.safeParse(body).success).toBe(false);
  });

  it('leaves out the rows with any status that a service can have', () => {
    for (const id of [0, -1, Number.MAX_SAFE_INTEGER]) {
      const body = { leaveOut: true, rows: { warning: `status-${id}` } };
      expect(LeaveOut.safeParse(body).success).toBe(true);
    }
  });
});
