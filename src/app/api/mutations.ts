import { mutationOptions } from '@tanstack/react-query';
import { listNames, type SubscriberInput } from '../../contract/subscriber.ts';
import type { Credentials } from '../../contract/desk.ts';
import type { ChangePasswordBody } from '../../contract/password.ts';
import type { AddStaffBody, ChangeStaffBody } from '../../contract/staff.ts';
import { desk, service } from './client.ts';

/** What is bound to the version that a person saw: it is refused when somebody changed the subscriber since. */
interface Versioned {
  id: number;
  etag: string | null;
}

const ifMatch = (etag: string | null) => (etag === null ? {} : { headers: { 'If-Match': etag } });

export const createSubscriber = mutationOptions({
  mutationKey: ['createSubscriber'],
  mutationFn: (body: SubscriberInput) => service.createSubscriber({ body }),
  meta: { invalidates: ['listSubscribers'] },
});

export const updateSubscriber = mutationOptions({
  mutationKey: ['updateSubscriber'],
  mutationFn: ({ id, etag, body }: Versioned & { body: SubscriberInput }) =>
    service.updateSubscriber({ params: { id }, body }, ifMatch(etag)),
  meta: { invalidates: ['listSubscribers', 'getSubscriber'] },
});

export const regenerateToken = mutationOptions({
  mutationKey: ['regenerateToken'],
  mutationFn: async ({ id, etag }: Versioned) =>
    (await service.regenerateToken({ params: { id } }, ifMatch(etag))).data,
  meta: { invalidates: ['listSubscribers', 'getSubscriber'] },
});

export const deleteSubscriber = mutationOptions({
  mutationKey: ['deleteSubscriber'],
  mutationFn: async ({ id, etag }: Versioned) =>
    (await service.deleteSubscriber({ params: { id } }, ifMatch(etag))).data,
  meta: { invalidates: ['listSubscribers', 'getSubscriber'] },
});

export const findByToken = mutationOptions({
  mutationKey: ['findByToken'],
  mutationFn: (accessToken: string) => desk.findByToken({ body: { accessToken, include: [...listNames] } }),
  meta: { invalidates: [] },
});

export const signIn = mutationOptions({
  mutationKey: ['signIn'],
  mutationFn: async (body: Credentials) => (await desk.signIn({ body })).data,
  meta: { invalidates: [] },
});

export const signOut = mutationOptions({
  mutationKey: ['signOut'],
  mutationFn: () => desk.signOut({}),
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
