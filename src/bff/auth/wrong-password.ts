import { Refusal } from '../../contract/http/refusal.ts';

/** One answer for a wrong name, a wrong password and a disabled account: nobody learns here who has an account. */
export const wrongPassword = () =>
  new Refusal('wrong-password', 'Check the name and the password and try again.');
