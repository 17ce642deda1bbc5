import type { Transaction } from 'kysely';
import { messageLimits, type AddMessageBody, type ChangeMessageBody } from '../../contract/bff/message.ts';
import { toBase64url } from '../../lib/crypto.ts';
import { invalidField, Problem } from '../../contract/http/problem.ts';
import type { BffDeps } from '../deps.ts';
import type { BffHandlers } from '../http/router.ts';
import type { BffTables, MessageTable } from '../schema.ts';
import { nameKey } from '../staff/name-key.ts';
import { holdShared } from '../staff/store.ts';

export function createMessageRoutes(messages: Messages) {
  return {
    listMessages: async () => await messages.list(),
    addMessage: async ({ body }) => await messages.add(body),
    changeMessage: async ({ params, body }) => await messages.change(params.id, body),
    async deleteMessage({ params }) {
      await messages.delete(params.id);
    },
  } satisfies Partial<BffHandlers>;
}

export type Messages = ReturnType<typeof createMessages>;

/** The messages that staff copy for subscribers. Changes wait for each other, so that two managers at once lose none. */
export function createMessages({ db, random }: Pick<BffDeps, 'db' | 'random'>) {
  const serialize = <T>(work: (tx: Transaction<BffTables>, present: MessageTable[]) => Promise<T>) =>
    db.transaction().execute(async (tx) => {
      await holdShared(tx);
      const saved = await readMessages(tx);
      if (saved.length > 0) return work(tx, saved);
      await tx.insertInto('messages').values(firstMessages).execute();
      return work(tx, firstMessages);
    });
  return {
    async list() {
      const saved = await readMessages(db);
      return saved.length > 0 ? saved : firstMessages;
    },
    /** @throws {Problem} `invalid-input` if the name is taken in its language, or there are too many messages */
    add: (message: AddMessageBody) =>
      serialize(async (tx, present) => {
        if (present.length >= messageLimits.messages)
          throw invalidField(
            'body',
            `There are ${messageLimits.messages} messages, which is the limit. Delete one first.`,
          );
        refuseTaken(present, message);
        const row = { ...message, id: toBase64url(random(16)), version: 1 };
        await tx.insertInto('messages').values(row).execute();
        return row;
      }),
    /** @throws {Problem} `no-such-message`; `changed-meanwhile`; `invalid-input` as for `add` */
    change: (id: string, { version, ...message }: ChangeMessageBody) =>
      serialize(async (tx, present) => {
        if (find(present, id).version !== version) throw changedMeanwhile();
        refuseTaken(
          present.filter((other) => other.id !== id),
          message,
        );
        const row = { ...message, id, version: version + 1 };
        await tx.updateTable('messages').set(row).where('id', '=', id).execute();
        return row;
      }),
    /** @throws {Problem} `no-such-message` */
    delete: (id: string) =>
      serialize(async (tx, present) => {
        find(present, id);
        await tx.deleteFrom('messages').where('id', '=', id).execute();
      }),
  };
}

const firstMessage = (id: string, occasion: MessageTable['occasion'], name: string, text: string) => ({
  id,
  occasion,
  language: 'en',
  name,
  text,
  version: 1,
});

/** Messages until somebody has saved one. */
const firstMessages: MessageTable[] = [
  firstMessage(
    'first-extended',
    'extended',
    'Subscription extended',
    'Hello {username},\n\nYour subscription now runs until {expires}.',
  ),
  firstMessage(
    'first-regenerated',
    'regenerated',
    'New playlist address',
    'Hello {username},\n\nYour old playlist address no longer works. Use this one from now on:\n{playlistUrl}\n\nKeep it to yourself: anyone who has it can watch on your subscription.',
  ),
  firstMessage(
    'first-token',
    'regenerated',
    'Token replaced',
    'Hello {username},\n\nYour old access token no longer works. Use this one from now on:\n{token}\n\nKeep it to yourself: anyone who has it can watch on your subscription.',
  ),
  firstMessage(
    'first-details',
    'general',
    'Subscription details',
    'Hello {username},\n\nYour subscription runs until {expires}.',
  ),
  firstMessage(
    'first-created',
    'created',
    'Welcome',
    'Hello {username},\n\nYour subscription is ready and runs until {expires}. Open this address in your player:\n{playlistUrl}\n\nKeep it to yourself: anyone who has it can watch on your subscription.',
  ),
];

async function readMessages(db: Pick<Transaction<BffTables>, 'selectFrom'>): Promise<MessageTable[]> {
  return db.selectFrom('messages').selectAll().orderBy('id').execute();
}

function find(messages: readonly MessageTable[], id: string): MessageTable {
  const found = messages.find((message) => message.id === id);
  if (!found)
    throw new Problem(
      'no-such-message',
      'This message does not exist. It may have been deleted. Reload the list of messages.',
    );
  return found;
}

function refuseTaken(others: readonly MessageTable[], { language, name }: AddMessageBody): void {
  const isSame = (other: MessageTable) =>
    other.language === language && nameKey(other.name) === nameKey(name);
  if (others.some(isSame))
    throw invalidField('name', 'There is already a message with this name in this language. Choose another.');
}

const changedMeanwhile = () =>
  new Problem(
    'changed-meanwhile',
    'Someone else has changed this message since you opened it. Nothing was saved. Compare with the list, then save again.',
  );
