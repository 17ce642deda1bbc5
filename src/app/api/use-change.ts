import { MutationObserver, useMutation, type QueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Reply } from '../../contract/http/client.ts';
import type { Change } from './changes.ts';
import { carryIntent, type UnconfirmedChange } from './send-idempotent.ts';

/** What a change takes beside its input. */
type WithReason<Input> = Input & { reason?: string | undefined };

/** A change as a component does it; `unconfirmed` while an answer is lost. */
export function useChange<Input extends object, Result>(
  change: Change<Input, Result>,
  own: { onSuccess?: (reply: Reply<Result>) => unknown; onError?: (error: Error) => unknown } = {},
) {
  const [unconfirmed, setUnconfirmed] = useState<UnconfirmedChange | null>(null);
  const mutation = useMutation({ ...optionsOf(change, setUnconfirmed), ...own });
  return { ...mutation, unconfirmed };
}

/** A change that goes on wherever the person goes meanwhile. */
export function sendChange<Input extends object, Result>(
  cache: QueryClient,
  change: Change<Input, Result>,
  input: Input,
  onUnconfirmed: (unconfirmed: UnconfirmedChange | null) => void,
): Promise<Reply<Result>> {
  return new MutationObserver(cache, optionsOf(change, onUnconfirmed)).mutate(input);
}

function optionsOf<Input extends object, Result>(
  { operation, send, invalidates }: Change<Input, Result>,
  onUnconfirmed: (unconfirmed: UnconfirmedChange | null) => void,
) {
  return {
    mutationKey: [operation],
    mutationFn: ({ reason, ...input }: WithReason<Input>) =>
      // Whatever is left without the reason is the input again, which TypeScript does not see through a generic.
      carryIntent({
        what: [operation, input],
        guarded: operation !== 'createSubscriber' && (input as { etag?: unknown }).etag !== null,
        reason,
        send: (headers) => send(input as unknown as Input, headers),
        onUnconfirmed,
      }),
    meta: { invalidates },
  };
}
