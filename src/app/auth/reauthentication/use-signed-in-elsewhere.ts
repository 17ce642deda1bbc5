import { useEffect, useEffectEvent } from 'react';
import type { Session } from '../../../contract/bff/session.ts';
import { askDesk } from './ask-desk.ts';

/** Looks whether there is a session again, whenever a person comes back to this page from another one. */
export function useSignedInElsewhere(onSession: (session: Session) => void): void {
  const tell = useEffectEvent(onSession);
  useEffect(() => {
    let here = true;
    const look = () => {
      if (document.visibilityState === 'hidden') return;
      askDesk.getSession({}).then(
        ({ data }) => here && tell(data),
        // There is none yet, or nobody can say: the password is asked for as before.
        () => undefined,
      );
    };
    window.addEventListener('focus', look);
    document.addEventListener('visibilitychange', look);
    return () => {
      here = false;
      window.removeEventListener('focus', look);
      document.removeEventListener('visibilitychange', look);
    };
  }, []);
}
