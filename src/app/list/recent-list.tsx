import type { KeyboardEvent } from 'react';
import type { RecentSubscriber } from '../../contract/bff/recent.ts';
import styles from '../components/search-box.module.css';

/**
 * The subscribers that the user opened last. The arrow keys move between them and the find box, and Tab skips them: ten more
 * steps would be in everybody's way.
 */
export function RecentList(props: {
  subscribers: readonly RecentSubscriber[];
  onOpen: (id: number) => void;
}) {
  return (
    <ul className={styles.offers} aria-label={recentTitle}>
      {props.subscribers.map(({ id, username, email }, index) => (
        <li key={id}>
          <button
            type="button"
            id={index === 0 ? firstId : undefined}
            className={styles.offer}
            tabIndex={-1}
            onClick={() => props.onOpen(id)}
            onKeyDown={press}
          >
            {username} <small>{email}</small>
          </button>
        </li>
      ))}
    </ul>
  );
}

export const recentTitle = 'Last opened';

const firstId = 'first-recent';

export const focusFirstRecent = () => document.getElementById(firstId)?.focus();

const buttonIn = (item: Element | null | undefined) => item?.querySelector('button');

function press(event: KeyboardEvent<HTMLButtonElement>): void {
  const { key, currentTarget } = event;
  const item = currentTarget.parentElement;
  const box = document.getElementById('find');
  const targets: Record<string, HTMLElement | null | undefined> = {
    ArrowDown: buttonIn(item?.nextElementSibling) ?? currentTarget,
    ArrowUp: buttonIn(item?.previousElementSibling) ?? box,
    Escape: box,
  };
  const target = targets[key];
  if (target) event.preventDefault();
  // What is typed goes on in the box, and is no shortcut of the page.
  const isTyped = key.length === 1 && key !== ' ' && !event.ctrlKey && !event.metaKey && !event.altKey;
  if (isTyped) event.stopPropagation();
  (isTyped ? box : target)?.focus();
}
