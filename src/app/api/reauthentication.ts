import { ApiError } from '../../contract/http/client.ts';

/** The dialog that asks the user to sign in again, open until `finish` is called. */
export interface ReauthenticationPrompt {
  /** @param result true resends what waits, false fails it as it was refused, an error fails it with that */
  finish: (result: boolean | ApiError) => void;
}

/** Shows or, with null, closes the dialog; false if there is no page to show it on. */
type Show = (prompt: ReauthenticationPrompt | null) => boolean;

/** Lets the user sign in again over the page when the session is over, so that requests go on where they were. */
export function createReauthentication() {
  let current: (ReauthenticationPrompt & { finished: Promise<boolean>; refusal: ApiError }) | null = null;
  let show: Show | null = null;
  /** How often somebody has signed in again on this page. */
  let signIns = 0;

  function open(refusal: ApiError): void {
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    const finish = (result: boolean | ApiError) => {
      current = null;
      show?.(null);
      if (result instanceof ApiError) reject(result);
      else resolve(result);
      if (result === true) signIns += 1;
    };
    const prompt = { finish, finished: promise, refusal };
    if (show?.(prompt)) current = prompt;
  }

  return {
    /**
     * Makes a call, and once more after the user has signed in again if it is refused for want of a session. Other
     * calls wait for the same prompt.
     */
    around: async <Reply>(call: () => Promise<Reply>): Promise<Reply> => {
      const before = current;
      if (before && !(await before.finished)) throw before.refusal;
      const signInsBefore = signIns;
      try {
        return await call();
      } catch (refusal) {
        if (!(refusal instanceof ApiError) || refusal.code !== 'not-signed-in') throw refusal;
        // A late answer to a request from before the last sign-in.
        if (signIns > signInsBefore) return call();
        if (!current) open(refusal);
        if (await current?.finished) return call();
        throw refusal;
      }
    },
    /** Sets who shows the prompt. @returns how to end that */
    onPrompt: (next: Show) => {
      show = next;
      return () => {
        show = null;
        current?.finish(false);
      };
    },
  };
}
