import { useEffect, useState } from 'react';
import type { Subscriber } from '../../contract/service/subscriber.ts';
import { sendAction } from '../api/actions.ts';
import { describeError } from '../api/errors.ts';
import { useApp } from '../components/app-context.ts';

/** Long enough to compare a token; in ms. */
const showing = 30_000;
/** Long enough to read a token out on the phone, word by word; in ms. */
export const spelling = 5 * 60_000;

/** The whole token, shown for a while, and only while this window has the focus. Each time it is asked for anew. */
export function useRevealedToken({ id, username, accessToken: masked }: Subscriber, time = showing) {
  const { queryClient, toasts } = useApp();
  const [state, setState] = useState<'hidden' | 'requested' | { token: string }>('hidden');
  // Somebody may replace it while it is shown.
  const [before, setBefore] = useState(masked);
  if (masked !== before) {
    setBefore(masked);
    setState('hidden');
  }
  const isHidden = state === 'hidden';
  const shown = typeof state === 'object' ? state.token : null;
  useEffect(() => {
    if (isHidden) return;
    const hide = () => setState('hidden');
    const timer = shown === null ? undefined : setTimeout(hide, time);
    window.addEventListener('blur', hide);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('blur', hide);
    };
  }, [isHidden, shown, time]);

  /** Null if it could not be had, which a toast says. */
  async function get(): Promise<string | null> {
    if (shown !== null) return shown;
    try {
      return (await sendAction(queryClient, 'revealToken', { params: { id } })).data.accessToken;
    } catch (error) {
      toasts.show('bad', `Couldn’t get the token of ${username}. ${describeError(error, 'read')}`);
      return null;
    }
  }

  return {
    /** Null while it is hidden. */
    shown,
    get,
    async show(): Promise<void> {
      if (!isHidden) return;
      setState('requested');
      const token = await get();
      // It may have been hidden meanwhile, or the window left.
      setState((now) => (now !== 'requested' ? now : token === null ? 'hidden' : { token }));
    },
    hide: () => setState('hidden'),
  };
}
