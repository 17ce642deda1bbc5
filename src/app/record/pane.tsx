import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useRef, type RefObject } from 'react';
import type { SubscriberPage } from '../../contract/service/list-query.ts';
import type { SubscriberWithLists } from '../../contract/service/subscriber.ts';
import { isNotFound } from '../api/errors.ts';
import { useOpened } from '../subscriber/recent.ts';
import { ReadFailure } from '../api/read-failure.tsx';
import { usePermission } from '../api/session.ts';
import { useApp, useCommands, WindowTitle } from '../components/app-context.ts';
import { Button, buttonClass } from '../components/button.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { Icon } from '../components/icon.tsx';
import { useShortcuts } from '../components/shortcuts.tsx';
import { rowLink, toReturn } from '../subscriber/list-address.ts';
import { MissingSubscriber } from '../subscriber/missing-subscriber.tsx';
import { followedSubscriberQuery, useOthers } from '../subscriber/others.tsx';
import { Badges, SubscriberRecord } from './record.tsx';
import { UnsavedNote } from './notes.tsx';
import styles from './pane.module.css';

/** One subscriber beside the list: the list's part of a record immediately, the rest when it is loaded. */
export function Pane() {
  const { id } = useParams({ from: '/app/subscribers/list/$id' });
  const cache = useQueryClient();
  const detail = useQuery(followedSubscriberQuery(id));
  const isMissing = isNotFound(detail.error);
  const known = detail.data?.data ?? fromList(cache, id);
  const subscriber = isMissing ? undefined : known;
  const others = useOthers(id, detail.data?.data);
  const close = useClose(id);
  useShortcuts({ close });
  const name = known?.username ?? `Subscriber ${id}`;
  useCommands([{ name: 'Close', about: name, run: close }]);
  useOpened(id, detail.data !== undefined && !isMissing);
  const pane = useRef<HTMLElement>(null);

  return (
    <aside ref={pane} className={styles.pane} aria-label={name}>
      <WindowTitle>{name}</WindowTitle>
      <header className={styles.head}>
        <Heading name={name} pane={pane} />
        {subscriber && <Edit id={id} name={name} />}
        <Button variant="quiet" square aria-label="Close" onClick={close}>
          <Icon name="close" />
        </Button>
        {subscriber && <Badges subscriber={subscriber} others={others.status} />}
      </header>
      {subscriber && (
        <div className={`row ends aside ${styles.identity}`}>
          <p className="breaks">
            #{id} · {subscriber.email}
          </p>
          <div>
            <span aria-hidden="true">Copy</span>
            <CopyButton text={name} name="name" shown="name" small />
            <CopyButton text={subscriber.email} name="email" shown="email" small />
            <CopyButton text={String(id)} name="ID" shown="ID" small />
          </div>
        </div>
      )}
      {isMissing ? (
        <>
          <MissingSubscriber id={id} />
          <UnsavedNote id={id} />
        </>
      ) : (
        <ReadFailure what="this subscriber" read={detail} />
      )}
      {subscriber && (
        <SubscriberRecord
          subscriber={subscriber}
          etag={detail.data?.etag ?? null}
          complete={detail.data !== undefined}
          changed={others.changed}
        />
      )}
    </aside>
  );
}

/** Shows a subscriber from the top: the one before may have been scrolled, or the list, which the pane covers on a narrow screen. */
function showTop(pane: HTMLElement | null): void {
  if (!pane) return;
  pane.scrollTop = 0;
  if (getComputedStyle(pane).position === 'relative') window.scrollTo(0, 0);
}

/** Takes the focus when another subscriber opens, so that screen readers start there. */
function Heading({ name, pane }: { name: string; pane: RefObject<HTMLElement | null> }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    showTop(pane.current);
  }, [pane]);
  return (
    <h2 ref={heading} tabIndex={-1} className="breaks">
      {name}
    </h2>
  );
}

/** The link to the form, for those who may change subscribers. */
function Edit({ id, name }: { id: number; name: string }) {
  const { allowed } = usePermission('updateSubscriber');
  const navigate = useNavigate();
  const run = () =>
    void navigate({ to: '/subscribers/$id/edit', params: { id }, search: true, state: toReturn });
  useCommands([allowed && { name: 'Edit', about: name, run }]);
  if (!allowed) return null;
  return (
    <Link to="/subscribers/$id/edit" params={{ id }} search={true} state={toReturn} className={buttonClass()}>
      Edit
    </Link>
  );
}

/** The subscriber as the list showed it last, if it did. */
function fromList(cache: QueryClient, id: number): SubscriberWithLists | undefined {
  const pages = cache.getQueryCache().findAll({ queryKey: ['listSubscribers'] });
  return pages
    .toSorted((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)
    .flatMap(({ queryKey }) => cache.getQueryData<SubscriberPage | number>(queryKey) ?? [])
    .flatMap((page) => (typeof page === 'object' ? page.items : []))
    .find((subscriber) => subscriber.id === id);
}

/** Closes the pane; the focus goes back to the subscriber's row, or to the list's heading. */
function useClose(id: number): () => void {
  const navigate = useNavigate();
  const { headingRef } = useApp();
  const close = async () => {
    await navigate({ to: '/subscribers', search: true, state: true, resetScroll: false });
    const origin = rowLink(id) ?? headingRef.current;
    // The browser scrolls to it: on a narrow screen the pane covered the list.
    origin?.focus();
  };
  return () => void close();
}
