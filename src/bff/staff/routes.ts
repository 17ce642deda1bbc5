import type { Log } from '../../lib/log.ts';
import { Problem } from '../../contract/http/problem.ts';
import { actorOf } from '../journal/events.ts';
import type { RequestContext } from '../http/context.ts';
import type { BffHandlers } from '../http/router.ts';
import type { StaffAccounts } from './store.ts';
import type { CurrentUser } from '../current-user.ts';

export interface StaffRouteParts {
  accounts: StaffAccounts;
  log: Log;
}

export function createStaffRoutes({ accounts, log }: StaffRouteParts) {
  const logChange = (event: string, context: RequestContext, user: CurrentUser, account: string) =>
    log('info', event, { requestId: context.requestId, staffId: user.staffId, account });
  return {
    listStaff: async () => await accounts.list(),
    async addStaff({ body }, context, user) {
      const added = await accounts.add(body, actorOf(user, context), context.recheckAccess);
      logChange('staff-added', context, user, added.staff.id);
      return added;
    },
    async changeStaff({ params, body }, context, user) {
      const changed = await accounts.change(params.id, body, actorOf(user, context));
      logChange('staff-changed', context, user, params.id);
      return changed;
    },
    async endStaffSessions({ params }, context, user) {
      const ended = await accounts.endSessions(params.id, actorOf(user, context));
      logChange('sessions-ended', context, user, params.id);
      return { ended };
    },
    async resetStaffPassword({ params }, context, user) {
      if (params.id === user.staffId) throw ownPassword();
      const reset = await accounts.resetPassword(params.id, actorOf(user, context), context.recheckAccess);
      logChange('one-time-password-given', context, user, params.id);
      return reset;
    },
    async resetSecondFactor({ params }, context, user) {
      if (params.id === user.staffId) throw ownFactor();
      const reset = await accounts.resetSecondFactor(params.id, actorOf(user, context));
      logChange('second-factor-reset', context, user, params.id);
      return reset;
    },
  } satisfies Partial<BffHandlers>;
}

/** A screen left open must not be enough to take the account over. */
const ownPassword = () =>
  new Problem('not-allowed', 'You can’t reset your own password. Change it in the account menu.');

const ownFactor = () =>
  new Problem('not-allowed', 'You can’t reset your own second factor. Change it under My account.');
