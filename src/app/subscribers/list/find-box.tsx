import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { tokenQuery } from '../../api/token-query.ts';
import { reasonOf } from '../../components/failure.tsx';
import { Icon } from '../../components/icon.tsx';
import { KeyHint } from '../../components/key-hint.tsx';
import { withFilter } from '../address.ts';
import { findTextOf, readFindText, type Finding } from './find-text.ts';
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
  const lookup = useQuery(tokenQuery(finding.kind === 'token' ? finding.accessToken : null));
  const cache = useQueryClient();
  const navigate = useNavigate();
  const open = (id: number) => {
    setText('');
    void navigate({ to: '/subscribers/$id', params: { id }, search: true });
  };

  // The address may change by other means (Back, a view, Clear filters); what is being typed wins over an own echo.
  const present = findTextOf(address);
  useEffect(() => {
    if (present === sent.current) return;
    sent.current = present;
    setText(present);
  }, [present]);

  useEffect(() => {
    const read = readFindText(text);
    // A token, or a part of one, filters nothing: what it stands for must not be told by the address.
    const change = read.kind === 'filter' ? { username: read.username, email: read.email } : noFilter;
    // What the address will make of it: a text that the service would refuse filters nothing, and stays in the box.
    const next = findTextOf(withFilter({}, change));
    if (next === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = next;
      filter(change, true);
    }, pause);
    return () => clearTimeout(timer);
  });

  function change(next: string): void {
    setText(next);
    const read = readFindText(next);
    // Whoever types on ends the question, and nothing opens.
    if (read.kind === 'token') cache.fetchQuery(tokenQuery(read.accessToken)).then(open, () => undefined);
  }

  const said = lookup.isFetching
    ? 'Looking for this access token…'
    : lookup.isError
      ? reasonOf(lookup.error)
      : sentenceOf(finding);
  const id = finding.kind === 'filter' ? finding.id : null;
  return (
    <search>
      <form
        className={styles.find}
        onSubmit={(event) => {
          event.preventDefault();
          if (id !== null) open(id);
        }}
      >
        <Icon name="search" />
        <input
          id="find"
          type="search"
          aria-label="Find subscribers"
          placeholder="Username, email or access token"
          autoComplete="off"
          spellCheck={false}
          maxLength={4000}
          value={text}
          onChange={(event) => change(event.target.value)}
        />
        {text === '' && <KeyHint of="find" />}
        {id !== null && (
          <button type="submit" className={styles.open}>
            Open #{id} <kbd>↵</kbd>
          </button>
        )}
        <p role="status" className={said === '' ? 'visually-hidden' : styles.outcome}>
          {said}
        </p>
      </form>
    </search>
  );
}

/** Why a text filters nothing. */
function sentenceOf(finding: Finding): string {
  if (finding.kind === 'fragment') return 'This looks like part of an access token. Paste the whole of it.';
  return finding.kind === 'refused' ? `This text filters nothing. ${finding.reason}` : '';
}

const noFilter = { username: undefined, email: undefined };
