import { MutationObserver, useMutation, type QueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Reply } from '../../contract/http/client.ts';
import type { Permission } from '../../contract/bff/permission.ts';
import type { SubscriberInput } from '../../contract/service/subscriber-input.ts';
import { apiOf } from './api.ts';
import { clientsOf } from './client.ts';
import { sessionQuery } from './queries.ts';
import type { Unconfirmed } from '../components/notice.tsx';
import { sendIdempotent } from './send-idempotent.ts';

type Headers = Readonly<Record<string, string>>;

/** A kind of change of a subscriber: how it is sent, and what has to be read again afterwards. */
export interface Change<Input extends object, Result> {
  operation: Permission;
  send: (clients: ReturnType<typeof clientsOf>, input: Input, headers: Headers) => Promise<Reply<Result>>;
  invalidates: readonly Permission[];
}

/** The subscriber and the version that the user saw: the change is refused if someone has changed it since. */
interface Versioned {
  id: number;
  etag: string | null;
}

const options = (etag: string | null, headers: Headers) => ({
  headers: { ...headers, ...(etag !== null && { 'If-Match': etag }) },
});

const asChange = <Input extends object, Result>(change: Change<Input, Result>) => change;

export const createSubscriber = asChange({
  operation: 'createSubscriber',
  send: ({ service }, { body }: { body: SubscriberInput }, headers) =>
    service.createSubscriber({ body }, { headers }),
  invalidates: ['listSubscribers', 'listActivity'],
});

export const updateSubscriber = asChange({
  operation: 'updateSubscriber',
  send: ({ service }, { id, etag, body }: Versioned & { body: SubscriberInput }, headers) =>
    service.updateSubscriber({ params: { id }, body }, options(etag, headers)),
  invalidates: ['listSubscribers', 'getSubscriber', 'listActivity'],
});

export const regenerateToken = asChange({
  operation: 'regenerateToken',
  send: ({ service }, { id, etag }: Versioned, headers) =>
    service.regenerateToken({ params: { id } }, options(etag, headers)),
  invalidates: ['listSubscribers', 'getSubscriber', 'listActivity'],
});

export const deleteSubscriber = asChange({
  operation: 'deleteSubscriber',
  send: ({ service }, { id, etag }: Versioned, headers) =>
    service.deleteSubscriber({ params: { id } }, options(etag, headers)),
  invalidates: ['listSubscribers', 'getSubscriber', 'listActivity'],
});

/** @param input.id of the journal entry that is undone */
export const undoChange = asChange({
  operation: 'undoChange',
  send: ({ bff }, { id }: { id: string }, headers) => bff.undoChange({ params: { id } }, { headers }),
  invalidates: ['listSubscribers', 'getSubscriber', 'listActivity'],
});

/** The input of a change, and the user's reason for the journal. */
type WithReason<Input> = Input & { reason?: string | undefined };

/** Makes a change from a component. `unconfirmed` is set while it is unknown whether it was done. */
export function useChange<Input extends object, Result>(
  change: Change<Input, Result>,
  own: { onSuccess?: (reply: Reply<Result>) => unknown; onError?: (error: Error) => unknown } = {},
) {
  const [unconfirmed, setUnconfirmed] = useState<Unconfirmed | null>(null);
  const mutation = useMutation({ ...optionsOf(change, setUnconfirmed), ...own });
  return { ...mutation, unconfirmed };
}

/** Makes a change that continues when the user goes to another page. */
export function sendChange<Input extends object, Result>(
  client: QueryClient,
  change: Change<Input, Result>,
  input: WithReason<Input>,
  onUnconfirmed: (unconfirmed: Unconfirmed | null) => void,
): Promise<Reply<Result>> {
  return new MutationObserver(client, optionsOf(change, onUnconfirmed)).mutate(input);
}

function optionsOf<Input extends object, Result>(
  { operation, send, invalidates }: Change<Input, Result>,
  onUnconfirmed: (unconfirmed: Unconfirmed | null) => void,
) {
  return {
    mutationKey: [operation],
    mutationFn: ({ reason, ...input }: WithReason<Input>, { client }: { client: QueryClient }) => {
      let isLost = false;
      return sendIdempotent(apiOf(client).unfinished, {
        what: [operation, input],
        guarded: operation !== 'createSubscriber' && (input as { etag?: unknown }).etag !== null,
        reason,
        // TypeScript cannot see that a generic input without its reason is the input.
        send: (headers) => send(clientsOf(client), input as unknown as Input, headers),
        onUnconfirmed: (unconfirmed) => {
          // If nothing answers, the banner at the top says so at once; and no longer than that.
          if (isLost !== (unconfirmed !== null))
            void client.refetchQueries({ queryKey: sessionQuery.queryKey });
          isLost = unconfirmed !== null;
          onUnconfirmed(unconfirmed);
        },
      });
    },
    meta: { invalidates },
  };
}
