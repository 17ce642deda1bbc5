import type { OperationName } from '../../contract/service/api.ts';

/**
 * What the desk counts; the host says by what, since in a tab nobody would read it. Texts are each from a set that the
 * program bounds, because every other one begins another series: never a name, an id or an address.
 */
export interface DeskFigures extends Exposition {
  requestAnswered: (request: AnsweredRequest) => void;
  /** Each attempt. */
  upstreamCalled: (call: { operation: OperationName; outcome: string; ms: number }) => void;
  signInEnded: (outcome: SignInOutcome) => void;
  /** Open: the service counts as dark, and calls to it fail at once. */
  breakerTurned: (isOpen: boolean) => void;
}

/** The figures as a text for whoever watches. */
export interface Exposition {
  write: () => Promise<string>;
  /** Of that text. */
  contentType: string;
}

export interface AnsweredRequest {
  /** The pattern of its path. */
  route: string;
  method: string;
  /** Its class, such as `2xx`. */
  status: string;
  ms: number;
}

export type SignInOutcome = 'done' | 'refused' | 'limited';
