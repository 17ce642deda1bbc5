import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../../contract/client.ts';
import { findByToken } from '../../api/mutations.ts';
import { subscriberQuery } from '../../api/queries.ts';
import { reasonOf } from '../../ui/failure.tsx';
import { Icon } from '../../ui/icon.tsx';
import { findTextOf, readFindText } from './find-text.ts';
import { useListAddress } from './use-list-address.ts';
import styles from './find-box.module.css';

/** Long enough that a word is one step, short enough to feel at once; in ms. */
const pause = 180;

/** One box for names, emails, ids and tokens. A token goes out in a body and never into the address. */
export function FindBox() {
  const { address, filter } = useListAddress();
  const [text, setText] = useState(findTextOf(address));
  const sent = useRef(findTextOf(address));
  const finding = readFindText(text);
  const lookup = useFindByToken(() => setText(''));

  // The address may change by other means (Back, a view, Clear filters); what is being typed wins over an own echo.
  const present = findTextOf(address);
  useEffect(() => {
    if (present === sent.current) return;
    sent.current = present;
    setText(present);
  }, [present]);

  useEffect(() => {
    const read = readFindText(text);
    if (read.kind === 'token') return;
    const next = read.email ?? read.username ?? '';
    if (next === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = next;
      filter({ username: read.username, email: read.email }, true);
    }, pause);
    return () => clearTimeout(timer);
  });

  function change(next: string): void {
    setText(next);
    lookup.reset();
    const read = readFindText(next);
    if (read.kind === 'token') lookup.mutate(read.accessToken);
  }

  return (
    <search className={styles.find}>
      <Icon name="search" />
      <input
        type="search"
        aria-label="Find subscribers"
        placeholder="Username, email or access token"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => change(event.target.value)}
      />
      {finding.kind === 'filter' && finding.id !== null && (
        <Link to="/subscribers/$id" params={{ id: finding.id }} search={{}} className={styles.open ?? ''}>
          Open #{finding.id}
        </Link>
      )}
      <p role="status" className={lookup.isPending || lookup.isError ? styles.outcome : 'visually-hidden'}>
        {lookup.isPending && 'Looking for this access token…'}
        {lookup.isError && outcomeOf(lookup.error)}
      </p>
    </search>
  );
}

function outcomeOf(error: Error): string {
  if (error instanceof ApiError && error.code === 'no-such-subscriber')
    return 'Nobody has this access token.';
  return `The access token could not be looked up. ${reasonOf(error)}`;
}

function useFindByToken(onFound: () => void) {
  const cache = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    ...findByToken,
    onSuccess: (reply) => {
      cache.setQueryData(subscriberQuery(reply.data.id).queryKey, reply);
      onFound();
      void navigate({ to: '/subscribers/$id', params: { id: reply.data.id }, search: true });
    },
  });
}
