import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTokenSearch } from '../../api/token-search.ts';
import { Icon } from '../../components/icon.tsx';
import { KeyHint } from '../../components/key.tsx';
import { useTypedFilter } from '../../components/use-typed-filter.ts';
import { withFilter } from '../address.ts';
import { findTextOf, fragmentAdvice, readFindText, type Finding } from './find-text.ts';
import { useListAddress } from './use-list-address.ts';
import styles from '../../components/search-box.module.css';

/** One box for usernames, emails, ids and tokens. A token is sent in a request body, and never becomes part of the address. */
export function FindBox() {
  const { address, filter } = useListAddress();
  const [text, setText] = useState(findTextOf(address));
  const finding = readFindText(text);
  const navigate = useNavigate();
  const open = (id: number) => {
    setText('');
    void navigate({ to: '/subscribers/$id', params: { id }, search: true });
  };
  const token = useTokenSearch(open);
  function change(next: string): void {
    setText(next);
    const read = readFindText(next);
    token.search(read.kind === 'token' ? read.accessToken : null);
  }

  // A token, or a part of one, must not get into the address. A text that the service would refuse stays in the box alone.
  const wanted = finding.kind === 'filter' ? { username: finding.username, email: finding.email } : noFilter;
  useTypedFilter({
    present: findTextOf(address),
    next: findTextOf(withFilter({}, wanted)),
    apply: () => filter(wanted, true),
    replace: change,
  });

  const said = token.sentence || sentenceOf(finding);
  const id = finding.kind === 'filter' ? finding.id : null;
  return (
    <search>
      <form
        className={styles.box}
        onSubmit={(event) => {
          event.preventDefault();
          if (id !== null) open(id);
        }}
      >
        <Icon name="search" />
        <input
          id="find"
          type="search"
          className={styles.input}
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

/** Why the list cannot be searched for the text; empty if it can. */
function sentenceOf(finding: Finding): string {
  if (finding.kind === 'fragment') return fragmentAdvice;
  return finding.kind === 'refused' ? `Can’t search for this. ${finding.reason}` : '';
}

const noFilter = { username: undefined, email: undefined };
