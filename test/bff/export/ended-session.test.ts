import { beforeEach, describe, expect, it, vi } from 'vitest';
import { outcomeOf } from '../../support/bff/browser.ts';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';
import { whenOver } from '../../support/setup/database.ts';

describe('an export whose account is disabled, or whose session ends', () => {
  let desk: TestDesk;
  let manager: Awaited<ReturnType<TestDesk['signIn']>>;
  beforeEach(async () => {
    desk = await createTestDesk({ samples: 2000 });
    manager = await desk.signIn('manager');
  });

  const path = '/bff/export?columns=id';

  it('is no file, and no entry, if that happens before the service has answered', async () => {
    desk.upstream.operation = async (_, next) => {
      await desk.changeAccount('manager', { disabled: 1 });
      return next();
    };
    expect(await outcomeOf(manager.ask('GET', path))).toBe('401 not-signed-in');
    expect((await desk.rows('journal')).map(({ operation }) => operation)).toEqual(['signIn']);
  });

  it('ends with the session that began it', async () => {
    const many = await createTestDesk({ samples: 21_000 });
    const answer = await (await many.signIn('manager')).ask('GET', path);
    await many.db.deleteFrom('sessions').execute();
    await expect(answer.text()).rejects.toMatchObject({ code: 'not-signed-in' });
  });

  it('ends within a second of the account, also where the client takes few rows', async () => {
    const answer = await manager.ask('GET', path);
    const reader = answer.body?.getReader();
    await reader?.read();
    await desk.changeAccount('manager', { disabled: 1 });
    desk.time.now += 1_000;
    const rest = async () => {
      while (!(await reader?.read())?.done);
    };
    await expect(rest()).rejects.toMatchObject({ code: 'not-signed-in' });
  });

  it('ends within a second of the account where the client takes nothing, too', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    whenOver(async () => void vi.useRealTimers());
    const reader = (await manager.ask('GET', path)).body?.getReader();
    await desk.changeAccount('manager', { disabled: 1 });
    vi.advanceTimersByTime(1_000);
    await expect(reader?.closed).rejects.toMatchObject({ code: 'not-signed-in' });
    expect(vi.getTimerCount()).toBe(0);
  });
});
