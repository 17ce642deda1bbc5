import { useParams } from '@tanstack/react-router';
import { useState, type KeyboardEvent } from 'react';
import type { SubscriberPage } from '../../../contract/service/list-query.ts';
import { Icon } from '../../components/icon.tsx';
import { KeyHint } from '../../components/key.tsx';
import { useLazyModule } from '../../components/use-lazy-module.ts';
import { useTypedFilter } from '../../components/use-typed-filter.ts';
import { withFilter } from '../address.ts';
import { findTextOf, readFindText, type PressedKey } from './find-text.ts';
import { useListAddress } from './use-list-address.ts';
import styles from '../../components/search-box.module.css';

/**
 * One box for usernames, emails, ids and tokens. A token is sent in a request body, and never becomes part of the address.
 *
 * @param props.page the page of the address; undefined until it is loaded
 */
export function FindBox({ page }: { page: SubscriberPage | undefined }) {
  const { address, filter, find, closePane } = useListAddress();
  const isPaneOpen = useParams({ from: '/app/subscribers/list/$id', shouldThrow: false }) !== undefined;
  const [text, setText] = useState(findTextOf(address));
  const [entered, setEntered] = useState(text);
  const [pressed, setPressed] = useState<PressedKey | null>(null);
  const [isOpen, setOpen] = useState(false);
  const panel = useLazyModule(() => import('./find-panel.tsx'), isOpen);
  const finding = readFindText(text);
  const waits = finding.kind === 'filter' && finding.needsEnter && text !== entered;
  function change(next: string): void {
    setText(next);
    setPressed(null);
    setOpen(true);
  }

  // A token, or a part of one, must not get into the address. A text that the service would refuse stays in the box alone.
  const wanted =
    finding.kind === 'filter' && !waits ? { username: finding.username, email: finding.email } : noFilter;
  const next = findTextOf(withFilter({}, wanted));
  const applyNow = useTypedFilter({
    present: findTextOf(address),
    next,
    // A new search is about another subscriber, so the pane of the one before closes: nobody changes the wrong one.
    apply: () => (wanted !== noFilter && text !== '' && isPaneOpen ? find(wanted) : filter(wanted, true)),
    replace(present) {
      setText(present);
      setEntered(present);
    },
  });
  function press(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown' || (event.key === 'Enter' && event.shiftKey)) {
      applyNow();
      setPressed(event.key === 'Enter' ? 'Shift+Enter' : 'ArrowDown');
    } else if (event.key !== 'Escape') return;
    else if (isOpen || isPaneOpen) {
      setOpen(false);
      if (isPaneOpen) closePane();
    } else change('');
    event.preventDefault();
  }

  return (
    <search>
      {/* Listens to what is in it, and is no control itself. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <form
        className={styles.box}
        onSubmit={(event) => {
          event.preventDefault();
          setEntered(text);
          setPressed('Enter');
          applyNow();
        }}
        onBlur={({ currentTarget, relatedTarget }) => {
          if (currentTarget.contains(relatedTarget)) return;
          setOpen(false);
          setPressed(null);
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
          onFocus={() => setOpen(true)}
          onClick={() => setOpen(true)}
          onKeyDown={press}
        />
        {text === '' && <KeyHint of="find" />}
        {panel && (
          <panel.FindPanel
            finding={finding}
            waits={waits}
            isOpen={isOpen}
            // The rows are those of another search until the address follows the text.
            page={findTextOf(address) === next ? page : undefined}
            pressed={pressed}
            onDone={(left) => {
              setPressed(null);
              if (left !== undefined) setText(left);
            }}
          />
        )}
      </form>
    </search>
  );
}

const noFilter = { username: undefined, email: undefined };
