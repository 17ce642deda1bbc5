import { mutationOptions } from '@tanstack/react-query';
import type { Credentials } from '../../contract/bff/api.ts';
import type { ChangePasswordBody } from '../../contract/bff/password.ts';
import type { AddStaffBody, ChangeStaffBody } from '../../contract/bff/staff.ts';
import { desk } from './client.ts';

export const signIn = mutationOptions({
  mutationKey: ['signIn'],
  mutationFn: async (body: Credentials) => (await desk.signIn({ body })).data,
  meta: { invalidates: [] },
});

/** What was refused until then is asked for again: everything. */
export const changePassword = mutationOptions({
  mutationKey: ['changePassword'],
  mutationFn: async (body: ChangePasswordBody) => (await desk.changePassword({ body })).data,
});

export const addStaff = mutationOptions({
  mutationKey: ['addStaff'],
  mutationFn: async (body: AddStaffBody) => (await desk.addStaff({ body })).data,
  meta: { invalidates: ['listStaff'] },
});

export const changeStaff = mutationOptions({
  mutationKey: ['changeStaff'],
  mutationFn: async ({ id, ...body }: ChangeStaffBody & { id: string }) =>
    (await desk.changeStaff({ params: { id }, body })).data,
  meta: { invalidates: ['listStaff'] },
});

export const endStaffSessions = mutationOptions({
  mutationKey: ['endStaffSessions'],
  mutationFn: async (id: string) => (await desk.endStaffSessions({ params: { id } })).data.ended,
  meta: { invalidates: ['listStaff'] },
});

export const resetStaffPassword = mutationOptions({
  mutationKey: ['resetStaffPassword'],
  mutationFn: async (id: string) => (await desk.resetStaffPassword({ params: { id } })).data,
  meta: { invalidates: ['listStaff'] },
});
