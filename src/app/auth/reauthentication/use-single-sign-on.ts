import { useEffect, useState } from 'react';
import { askDesk } from './ask-desk.ts';

/** Whether there is single sign-on; false until the desk has said so. */
export function useSingleSignOn(): boolean {
  const [there, setThere] = useState(false);
  useEffect(() => {
    askDesk.getSignInWays({}).then(
      ({ data }) => setThere(data.singleSignOn),
      // The password is asked for all the same.
      () => undefined,
    );
  }, []);
  return there;
}
