import { bffApi } from '../../contract/bff/api.ts';
import type { StaffAdminOperation } from '../../contract/bff/permission.ts';
import { Refusal } from '../../contract/http/refusal.ts';
import { readInput } from '../../contract/http/read-input.ts';
import type { Log } from '../../contract/http/log.ts';
import type { Door } from '../router.ts';
import type { StaffAccounts } from './accounts.ts';
import type { RequestContext, CurrentUser } from '../request-context.ts';

/** The doors behind which managers look after the accounts; who may pass is the contract's to say. */
export function createStaffRoutes(deps: {
  accounts: StaffAccounts;
  log: Log;
}): Record<StaffAdminOperation, Door> {
  const { accounts } = deps;
  const note = (event: string, context: RequestContext, user: CurrentUser, account: string) =>
    deps.log('info', event, { requestId: context.requestId, staffId: user.staffId, account });
  return {
    listStaff: { handle: async () => Response.json(await accounts.list()) },
    addStaff: {
      async handle(context, user) {
        const { body } = await readInput(bffApi.addStaff, context.request, {});
        const added = await accounts.add(body);
        note('staff-added', context, user, added.staff.id);
        return Response.json(added);
      },
    },
    changeStaff: {
      async handle(context, user, values) {
        const { params, body } = await readInput(bffApi.changeStaff, context.request, values);
        const changed = await accounts.change(params.id, body);
        note('staff-changed', context, user, params.id);
        return Response.json(changed);
      },
    },
    endStaffSessions: {
      async handle(context, user, values) {
        const { params } = await readInput(bffApi.endStaffSessions, context.request, values);
        const ended = await accounts.endSessions(params.id);
        note('sessions-ended', context, user, params.id);
        return Response.json({ ended });
      },
    },
    resetStaffPassword: {
      async handle(context, user, values) {
        const { params } = await readInput(bffApi.resetStaffPassword, context.request, values);
        if (params.id === user.staffId) throw ownPassword();
        const given = await accounts.resetPassword(params.id);
        note('one-time-password-given', context, user, params.id);
        return Response.json(given);
      },
    },
  };
}

/** A screen left open must not be enough to take the account over. */
const ownPassword = () =>
  new Refusal('not-allowed', 'This is your own account. Use “Change password” in the account menu.');
