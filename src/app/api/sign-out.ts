import { mutationOptions } from '@tanstack/react-query';

/** Changes that the first screen offers; all that they need is loaded when somebody asks for one. */
const whole = () => import('./client.ts');

export const signOut = mutationOptions({
  mutationKey: ['signOut'],
  mutationFn: async () => (await whole()).desk.signOut({}),
  meta: { invalidates: [] },
});
