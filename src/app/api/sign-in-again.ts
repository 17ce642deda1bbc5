import { ApiError } from '../../contract/http/client.ts';

/** Stands open while a person is asked to sign in again. */
export interface Question {
  /** Whether all that waits is sent; an error is what it fails with instead. */
  answer: (isSent: boolean | ApiError) => void;
}

let question: (Question & { answered: Promise<boolean>; refused: ApiError }) | null = null;
/** Puts the question to the person, and answers whether there is one to put it to. */
type Ask = (question: Question | null) => boolean;
let ask: Ask | null = null;
/** How often somebody has signed in again on this page. */
let returns = 0;

/**
 * Sends a request, and once more after the person has signed in again, where it is refused for want of a session.
 * Whatever else is to be sent meanwhile waits for the same answer.
 */
export async function sendSignedIn<Reply>(send: () => Promise<Reply>): Promise<Reply> {
  const open = question;
  if (open && !(await open.answered)) throw open.refused;
  const began = returns;
  try {
    return await send();
  } catch (refused) {
    if (!(refused instanceof ApiError) || refused.code !== 'not-signed-in') throw refused;
    // An answer of before that took its time.
    if (returns > began) return send();
    if (!question) put(refused);
    if (await question?.answered) return send();
    throw refused;
  }
}

function put(refused: ApiError): void {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const answer = (isSent: boolean | ApiError) => {
    question = null;
    ask?.(null);
    if (isSent instanceof ApiError) reject(isSent);
    else resolve(isSent);
    if (isSent === true) returns += 1;
  };
  const asked = { answer, answered: promise, refused };
  if (ask?.(asked)) question = asked;
}

/** From now on somebody can be asked, on the page that is there. Answers how to end that. */
export function onQuestion(show: Ask): () => void {
  ask = show;
  return () => {
    ask = null;
    question?.answer(false);
  };
}
