import { useParams } from '@tanstack/react-router';
import { useState, type KeyboardEvent } from 'react';
import type { SubscriberPage } from '../../contract/service/list-query.ts';
import { useApp } from '../components/app-context.ts';
import { useTypedFilter } from '../components/filter-bar.tsx';
import { Icon } from '../components/icon.tsx';
import { KeyHint, isComposing } from '../components/shortcuts.tsx';
import { useLazyModule } from '../components/use-lazy-module.ts';
import { findTextOf, withFilter } from '../subscriber/list-address.ts';
import type { PressedKey } from './find-text.ts';
import { useListAddress } from './use-list-address.ts';
import styles from '../components/search-box.module.css';

/**
 * One box for usernames, emails, ids and tokens. A token is sent in a request body, and never becomes part of the address.
 *
 * @param props.page the page of the address; undefined until it is loaded
 */
export function FindBox({ page }: { page: SubscriberPage | undefined }) {
  const { address, filter } = useListAddress();
  const isPaneOpen = useParams({ from: '/app/subscribers/list/$id', shouldThrow: false }) !== undefined;
  const [text, setText] = useState(findTextOf(address));
  const [entered, setEntered] = useState(text);
  const [pressed, setPressed] = useState<PressedKey | null>(null);
  const [isOpen, setOpen] = useState(false);
  const { searchRef } = useApp();
  const panel = useLazyModule(() => import('./find-panel.tsx'), isOpen);
  // Until it is loaded, nobody knows what the text means, so the address stays as it is.
  const finding = panel?.readFindText(text);
  const needsEnter = (finding?.kind === 'filter' || finding?.kind === 'token') && finding.needsEnter === true;
  const waits = needsEnter && text !== entered;
  const open = () => setOpen(true);
  function change(next: string): void {
    setText(next);
    setPressed(null);
    open();
  }

  // A token, or a part of one, must not get into the address. A text that the service would refuse stays in the box alone.
  const typed = finding?.kind === 'filter' && !waits ? finding : noFilter;
  const present = findTextOf(address);
  const next = finding ? findTextOf(withFilter({}, typed)) : present;
  const applyNow = useTypedFilter({
    present,
    next,
    // A new search is about another subscriber, so the pane of the one before closes: nobody changes the wrong one.
    apply() {
      const closes = next !== '' && isPaneOpen;
      filter(typed, !closes, closes ? '/subscribers' : undefined);
    },
    replace(other) {
      setText(other);
      setEntered(other);
    },
  });
  function press(event: KeyboardEvent): void {
    const { key } = event;
    const named = key === 'Enter' && event.shiftKey ? 'Shift+Enter' : key;
    if (isComposing(event.nativeEvent) || !isOwnKey(named)) return;
    event.preventDefault();
    if (named !== 'Escape') applyNow();
    else if (!isOpen && !isPaneOpen) return change('');
    else setOpen(false);
    setPressed(named);
  }

  return (
    <search>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- hears what is in it, is no control */}
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
          ref={searchRef}
          type="search"
          aria-label="Find subscribers"
          placeholder="Username, email or access token"
          autoComplete="off"
          spellCheck={false}
          maxLength={4000}
          value={text}
          onChange={(event) => change(event.target.value)}
          // The next search replaces the one before, so its text is selected; a press there would only set the cursor.
          onMouseDown={(event) => {
            if (document.activeElement === event.currentTarget) return;
            event.preventDefault();
            event.currentTarget.focus();
          }}
          onFocus={(event) => {
            event.target.select();
            open();
          }}
          onKeyDown={press}
        />
        {text === '' && <KeyHint of="find" />}
        {panel && finding && (
          <panel.FindPanel
            finding={finding}
            waits={waits}
            isOpen={isOpen}
            // The rows are those of another search until the address follows the text.
            page={present === next ? page : undefined}
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

/** Enter alone comes as the form's submit, also from keyboards on the screen. */
const isOwnKey = (key: string): key is Exclude<PressedKey, 'Enter'> =>
  ['Shift+Enter', 'ArrowDown', 'Escape'].includes(key);
