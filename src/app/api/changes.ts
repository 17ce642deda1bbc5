import type { Reply } from '../../contract/http/client.ts';
import type { Permission } from '../../contract/bff/permission.ts';
import type { SubscriberInput } from '../../contract/service/subscriber-input.ts';
import { desk, service } from './client.ts';

type Headers = Readonly<Record<string, string>>;

/** A change of a subscriber: how it is sent, and what it makes out of date. */
export interface Change<Input extends object, Result> {
  operation: Permission;
  send: (input: Input, headers: Headers) => Promise<Reply<Result>>;
  invalidates: readonly Permission[];
}

/** What is bound to the version that a person saw: it is refused when somebody changed the subscriber since. */
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
  send: ({ body }: { body: SubscriberInput }, headers) => service.createSubscriber({ body }, { headers }),
  invalidates: ['listSubscribers', 'listActivity'],
});

export const updateSubscriber = asChange({
  operation: 'updateSubscriber',
  send: ({ id, etag, body }: Versioned & { body: SubscriberInput }, headers) =>
    service.updateSubscriber({ params: { id }, body }, options(etag, headers)),
  invalidates: ['listSubscribers', 'getSubscriber', 'listActivity'],
});

export const regenerateToken = asChange({
  operation: 'regenerateToken',
  send: ({ id, etag }: Versioned, headers) =>
    service.regenerateToken({ params: { id } }, options(etag, headers)),
  invalidates: ['listSubscribers', 'getSubscriber', 'listActivity'],
});

export const deleteSubscriber = asChange({
  operation: 'deleteSubscriber',
  send: ({ id, etag }: Versioned, headers) =>
    service.deleteSubscriber({ params: { id } }, options(etag, headers)),
  invalidates: ['listSubscribers', 'getSubscriber', 'listActivity'],
});

/** @param input.id of the entry that is taken back */
export const undoChange = asChange({
  operation: 'undoChange',
  send: ({ id }: { id: string }, headers) => desk.undoChange({ params: { id } }, { headers }),
  invalidates: ['listSubscribers', 'getSubscriber', 'listActivity'],
});
