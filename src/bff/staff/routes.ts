import { deskApi } from '../../contract/bff/api.ts';
import type { DeskDeed } from '../../contract/bff/permission.ts';
import { Refusal } from '../../contract/http/refusal.ts';
import { readInput } from '../../contract/http/read-input.ts';
import type { Log } from '../../contract/http/log.ts';
import type { Door } from '../router.ts';
import type { StaffAccounts } from './accounts.ts';
import type { Visit, Who } from '../request-context.ts';

/** The doors behind which managers look after the accounts; who may pass is the contract's to say. */
export function createStaffDoors(deps: { accounts: StaffAccounts; log: Log }): Record<DeskDeed, Door> {
  const { accounts } = deps;
  const note = (event: string, visit: Visit, who: Who, account: string) =>
    deps.log('info', event, { requestId: visit.requestId, staffId: who.staffId, account });
  return {
    listStaff: { handle: async () => Response.json(await accounts.list()) },
    addStaff: {
      async handle(visit, who) {
        const { body } = await readInput(deskApi.addStaff, visit.request, {});
        const added = await accounts.add(body);
        note('staff-added', visit, who, added.staff.id);
        return Response.json(added);
      },
    },
    changeStaff: {
      async handle(visit, who, values) {
        const { params, body } = await readInput(deskApi.changeStaff, visit.request, values);
        const changed = await accounts.change(params.id, body);
        note('staff-changed', visit, who, params.id);
        return Response.json(changed);
      },
    },
    endStaffSessions: {
      async handle(visit, who, values) {
        const { params } = await readInput(deskApi.endStaffSessions, visit.request, values);
        const ended = await accounts.endSessions(params.id);
        note('sessions-ended', visit, who, params.id);
        return Response.json({ ended });
      },
    },
    resetStaffPassword: {
      async handle(visit, who, values) {
        const { params } = await readInput(deskApi.resetStaffPassword, visit.request, values);
        if (params.id === who.staffId) throw ownPassword();
        const given = await accounts.resetPassword(params.id);
        note('one-time-password-given', visit, who, params.id);
        return Response.json(given);
      },
    },
  };
}

/** A screen left open must not be enough to take the account over. */
const ownPassword = () =>
  new Refusal('not-allowed', 'This is your own account. Use “Change password” in the account menu.');
