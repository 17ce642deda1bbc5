import type { Obstacles } from '../http/problem.ts';
import { Refusal } from '../http/refusal.ts';

/** Refusals of the service and of the BFF alike, so that staff and API clients read the same sentences. */

export const noSuchSubscriber = () =>
  new Refusal(
    'no-such-subscriber',
    'This subscriber does not exist. It may have been deleted. Search for it again.',
  );

export const noSubscriberWithToken = () =>
  new Refusal('no-such-subscriber', 'No subscriber has this access token. It may be an old one.');

/** @param obstacles the record as it is now, as far as the BFF knows it */
export const changedMeanwhile = (obstacles: Obstacles = {}) =>
  new Refusal(
    'changed-meanwhile',
    'Someone else changed this subscriber first. Your change was not made. Look at the current version, then make your change again.',
    { obstacles },
  );
