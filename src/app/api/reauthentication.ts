import { ApiError } from '../../contract/http/client.ts';

/** A request to the user to sign in again; its dialog is open until `finish` is called. */
export interface ReauthenticationPrompt {
  /** Why: the session has ended, or what is to be done asks for a proof that it is the user. */
  reason: 'ended' | 'proof';
  /** @param result true sends the waiting requests again, false fails them as refused, an error fails them with it */
  finish: (result: boolean | ApiError) => void;
}

/** The codes of refusals that a new sign-in ends. */
const asksForSignIn: readonly string[] = ['not-signed-in', 'proof-needed'];

/** Shows or, with null, closes the dialog; false if there is no page to show it on. */
type Show = (prompt: ReauthenticationPrompt | null) => boolean;

/** Lets the user sign in again over the page when the session has ended. Requests wait, and are then sent again. */
export function createReauthentication() {
  let current: (ReauthenticationPrompt & { finished: Promise<boolean>; refusal: ApiError }) | null = null;
  let show: Show | null = null;
  /** Number of times that the user has signed in again on this page. */
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
    const reason = refusal.code === 'proof-needed' ? ('proof' as const) : ('ended' as const);
    const prompt = { reason, finish, finished: promise, refusal };
    if (show?.(prompt)) current = prompt;
  }

  return {
    /**
     * Makes a call. If it is refused because the session has ended or was begun too long ago, makes it again when the user has signed in again.
     * Until then, other calls wait for the same prompt, unless it only asks for a proof, which they do not need.
     */
    around: async <Reply>(call: () => Promise<Reply>): Promise<Reply> => {
      const before = current;
      if (before?.reason === 'ended' && !(await before.finished)) throw before.refusal;
      const signInsBefore = signIns;
      try {
        return await call();
      } catch (refusal) {
        if (!(refusal instanceof ApiError) || !asksForSignIn.includes(refusal.code)) throw refusal;
        // The refusal of a request that was sent before the last sign-in.
        if (signIns > signInsBefore) return call();
        if (!current) open(refusal);
        if (await current?.finished) return call();
        throw refusal;
      }
    },
    /** Sets who shows the prompt. @returns a function to end that */
    onPrompt: (next: Show) => {
      show = next;
      return () => {
        show = null;
        current?.finish(false);
      };
    },
  };
}
