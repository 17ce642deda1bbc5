import { useQuery } from '@tanstack/react-query';
import { useLeavesFocus } from '../components/app-context.ts';
import { useState } from 'react';
import { occasions, type Message } from '../../contract/bff/message.ts';
import { hasFailed, ReadFailure } from '../api/read-failure.tsx';
import { usePermission, useSession } from '../api/session.ts';
import { undoBy, useAction } from '../api/use-action.ts';
import { Badge } from '../components/badge.tsx';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { Notice } from '../components/notice.tsx';
import { Page } from '../components/page.tsx';
import { Skeleton } from '../components/data-table.tsx';
import { languageName, messagesQuery, needsPlaylistUrl } from '../subscriber/message-text.ts';
import { MessageDialog, occasionNames } from './message-dialog.tsx';
import styles from './messages-page.module.css';

/** The texts that staff copy for subscribers, by what was done. Managers edit them. */
export function MessagesPage() {
  const { allowed, reason } = usePermission('manageMessages');
  const session = useSession();
  const messages = useQuery({ ...messagesQuery, refetchOnMount: 'always' });
  const [editing, setEditing] = useState<Message | 'new' | null>(null);
  const hasUrls = session?.playlistUrlTemplate !== undefined;
  const isOffered = ({ text }: Message) => hasUrls || !needsPlaylistUrl(text);
  const all = messages.data ?? [];
  return (
    <Page
      title="Messages"
      aside={
        allowed && (
          <Button variant="primary" onClick={() => setEditing('new')}>
            <Icon name="plus" />
            Add message
          </Button>
        )
      }
    >
      <p className="muted">
        Staff copy these on the page of a subscriber and send them. {reason && 'Managers can edit them.'}
      </p>
      {session && !hasUrls && (
        <Notice tone="warn">
          Playlist URLs aren’t set up, so messages with {'{playlistUrl}'} can’t be copied. An administrator
          can set them up with PLAYLIST_URL_TEMPLATE.
        </Notice>
      )}
      <ReadFailure what="the messages" read={messages} />
      {!messages.data && !hasFailed(messages) && <Skeleton width={60} />}
      {occasions
        .map((occasion) => ({ occasion, group: all.filter((message) => message.occasion === occasion) }))
        .filter(({ group }) => group.length > 0)
        .map(({ occasion, group }) => (
          <section key={occasion} className={`stack ${styles.group}`} aria-label={occasionNames[occasion]}>
            <h2 className="title">{occasionNames[occasion]}</h2>
            <ul>
              {group.toSorted(byLanguageAndName).map((message) => (
                <MessageCard
                  key={message.id}
                  message={message}
                  isOffered={session === undefined || isOffered(message)}
                  onEdit={allowed ? () => setEditing(message) : undefined}
                />
              ))}
            </ul>
          </section>
        ))}
      {editing && (
        <MessageDialog message={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />
      )}
    </Page>
  );
}

const sortText = ({ language, name }: Message) => `${languageName(language)} ${name}`.toLowerCase();

function byLanguageAndName(one: Message, other: Message): number {
  return sortText(one) < sortText(other) ? -1 : 1;
}

function MessageCard(props: { message: Message; isOffered: boolean; onEdit: (() => void) | undefined }) {
  const { message, isOffered, onEdit } = props;
  const { name, language, text } = message;
  return (
    <li className={`card stack ${styles.message}`}>
      <div className={`row ${styles.head}`}>
        <h3 className="breaks">{name}</h3>
        <Badge tone="neutral">{languageName(language)}</Badge>
        {!isOffered && <Badge tone="warn">Can’t be copied</Badge>}
        {onEdit && (
          <div className={`row ${styles.buttons}`}>
            <Button variant="quiet" small aria-label={`Edit ${name}`} onClick={onEdit}>
              Edit
            </Button>
            <Delete message={message} />
          </div>
        )}
      </div>
      <p className="muted multiline" lang={language} dir="auto">
        {text}
      </p>
    </li>
  );
}

/** Deletes at once; the toast has the way back. */
function Delete({ message }: { message: Message }) {
  const { id, version: _version, ...body } = message;
  const { name } = body;
  const undo = undoBy('addMessage', { body }, { done: `${name} was added again`, toast: `${name} is back.` });
  const deleting = useAction('deleteMessage', {
    done: `${name} was deleted`,
    toast: () => ({ text: `${name} is deleted.`, undo: { run: undo } }),
    failures: 'toast',
  });
  return (
    <Button
      ref={useLeavesFocus()}
      variant="quiet-danger"
      small
      aria-label={`Delete ${name}`}
      busy={deleting.isBusy}
      onClick={() => void deleting.run({ params: { id } })}
    >
      Delete
    </Button>
  );
}
