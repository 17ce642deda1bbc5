import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { occasions, type Message, type Occasion } from '../../contract/bff/message.ts';
import type { SubscriberWithLists } from '../../contract/service/subscriber.ts';
import { usePermission, useSession } from '../api/session.ts';
import { useCommands } from '../components/app-context.ts';
import { CopyButton, useCopy } from '../components/copy-button.tsx';
import { usePreference } from '../components/preference.ts';
import { Select } from '../components/select.tsx';
import { Skeleton } from '../components/data-table.tsx';
import { useBundles } from '../subscriber/bundles.ts';
import {
  hasAllIn,
  languageName,
  messageLanguage,
  messageText,
  messagesQuery,
  needsPlaylistUrl,
  needsToken,
  useLastContact,
} from '../subscriber/message-text.ts';
import { Section } from './section.tsx';
import { useRevealedToken } from './use-revealed-token.ts';
import styles from './pane.module.css';

/** The message of the pane: for what was just done, else in one line for whenever it is needed. */
export function PaneMessage({ subscriber }: { subscriber: SubscriberWithLists }) {
  const token = useRevealedToken(subscriber);
  const copy = useCopy();
  const occasion = useLastContact(subscriber);
  const seesToken = usePermission('seeAccessToken').allowed;
  const message = useMessage(subscriber, occasion, token.get);
  const { source, remember } = message;
  useCommands([
    source !== undefined && {
      name: 'Copy message',
      about: subscriber.username,
      run: () => void copy(source, 'message').then((isCopied) => isCopied && remember()),
    },
  ]);
  return (
    <MessageToCopy message={message}>
      {occasion === 'created' && seesToken && <CopyButton text={token.get} name="token" small={false} />}
    </MessageToCopy>
  );
}

/** The message for a token that has just been made, which is on the screen. */
export function NewTokenMessage({ subscriber }: { subscriber: SubscriberWithLists }) {
  const message = useMessage(subscriber, 'regenerated', async () => subscriber.accessToken);
  return <MessageToCopy message={message} />;
}

/** A choice of messages, the text, and a button that copies it. Nothing where there is no message that can be copied. */
function MessageToCopy(props: {
  message: ReturnType<typeof useMessage>;
  /** Another button. */
  children?: ReactNode;
}) {
  const { options, selected, shown, source, isLoading, choose, remember } = props.message;
  const isOneLanguage = new Set(options.map(({ language }) => language)).size < 2;
  if (isLoading) return <Skeleton width={30} />;
  if (!selected || source === undefined) return null;
  return (
    <Section
      name="Message"
      tools={
        <>
          <Select
            aria-label="Message"
            className={styles.message}
            value={selected.id}
            options={options.map(({ id, name, language }) => ({
              value: id,
              label: isOneLanguage ? name : `${name} · ${languageName(language)}`,
            }))}
            onChange={(event) => choose(event.target.value)}
          />
          <CopyButton text={source} name="message" small onCopied={remember} />
        </>
      }
    >
      {/* Cut in the pane, where one message is as high as another. */}
      <div className={`aside multiline ${styles.text}`}>
        <p lang={selected.language} dir="auto">
          {shown}
        </p>
        {needsToken(selected.text) && (
          <p>The {needsPlaylistUrl(selected.text) ? 'playlist URL' : 'token'} is put in when you copy.</p>
        )}
      </div>
      {props.children && <div>{props.children}</div>}
    </Section>
  );
}

/**
 * The messages that can be copied for a subscriber: those for what was just done first, and of these the ones in the
 * language of the last message.
 *
 * @param getToken asks for the access token when a message with it is copied; null if that failed
 */
function useMessage(
  subscriber: SubscriberWithLists,
  occasion: Occasion | null,
  getToken: () => Promise<string | null>,
) {
  const messages = useQuery(messagesQuery);
  const bundles = useBundles();
  const template = useSession()?.playlistUrlTemplate;
  const seesToken = usePermission('seeAccessToken').allowed;
  const language = usePreference(messageLanguage);
  const [chosen, choose] = useState<{ id: string; after: Occasion | null }>();
  const canFill = ({ text }: Message) =>
    hasAllIn(text, subscriber) &&
    (!needsToken(text) || seesToken) &&
    (!needsPlaylistUrl(text) || template !== undefined);
  const rank = (message: Message) =>
    (message.occasion === occasion ? 0 : message.occasion === 'general' ? 100 : 200) +
    (message.language === language ? 0 : 10) +
    occasions.indexOf(message.occasion);
  const options = (messages.data ?? [])
    .filter(canFill)
    .toSorted((one, other) => rank(one) - rank(other) || (one.name < other.name ? -1 : 1));
  // A choice is over when something else has been done.
  const own = chosen?.after === occasion ? options.find(({ id }) => id === chosen.id) : undefined;
  const selected = own ?? options[0];

  async function fill(message: Message): Promise<string | null> {
    const token = await getToken();
    return token === null ? null : messageText(message, subscriber, bundles, token, template);
  }

  const shown = selected && messageText(selected, subscriber, bundles);
  return {
    options,
    selected,
    shown,
    isLoading: messages.isLoading,
    choose: (id: string) => choose({ id, after: occasion }),
    /** The text to copy. The token and the playlist address are secret, so they are put in only then. */
    source: selected && needsToken(selected.text) ? () => fill(selected) : shown,
    remember: () => selected && messageLanguage.set(selected.language),
  };
}
