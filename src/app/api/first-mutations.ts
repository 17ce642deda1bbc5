import { mutationOptions } from '@tanstack/react-query';
import { listNames } from '../../contract/subscriber.ts';

/** Changes that the first screen offers; all that they need is loaded when somebody asks for one. */
const whole = () => import('./whole-client.ts');

export const findByToken = mutationOptions({
  mutationKey: ['findByToken'],
  mutationFn: async (accessToken: string) =>
    (await whole()).desk.findByToken({ body: { accessToken, include: [...listNames] } }),
  meta: { invalidates: [] },
});

export const signOut = mutationOptions({
  mutationKey: ['signOut'],
  mutationFn: async () => (await whole()).desk.signOut({}),
  meta: { invalidates: [] },
});
