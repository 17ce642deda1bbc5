import { MutationObserver, useMutation, type QueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Reply } from '../../contract/http/client.ts';
import type { Change } from './changes.ts';
import { carryIntent, type Doubt } from './send-idempotent.ts';

/** What a change takes beside its input. */
type WithReason<Input> = Input & { reason?: string | undefined };

/** A change as a component does it; `doubt` while an answer is lost. */
export function useChange<Input extends object, Result>(
  change: Change<Input, Result>,
  own: { onSuccess?: (reply: Reply<Result>) => unknown; onError?: (error: Error) => unknown } = {},
) {
  const [doubt, setDoubt] = useState<Doubt | null>(null);
  const mutation = useMutation({ ...optionsOf(change, setDoubt), ...own });
  return { ...mutation, doubt };
}

/** A change that goes on wherever the person goes meanwhile. */
export function sendChange<Input extends object, Result>(
  cache: QueryClient,
  change: Change<Input, Result>,
  input: Input,
  onDoubt: (doubt: Doubt | null) => void,
): Promise<Reply<Result>> {
  return new MutationObserver(cache, optionsOf(change, onDoubt)).mutate(input);
}

function optionsOf<Input extends object, Result>(
  { operation, send, invalidates }: Change<Input, Result>,
  onDoubt: (doubt: Doubt | null) => void,
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
        onDoubt,
      }),
    meta: { invalidates },
  };
}
