import { useEffect, useEffectEvent, useRef, type ReactNode } from 'react';
import { useLeavesFocus } from './app-context.ts';
import { Button } from './button.tsx';
import { Select, type Option } from './select.tsx';
import styles from './filter-bar.module.css';

/** The search box and filters above a list. */
export function FilterBar(props: {
  /** A search box, as a `<search>` element. */
  search?: ReactNode;
  /** Undefined if no filter is set. */
  onClear: (() => void) | undefined;
  /** Buttons for the list as a whole. */
  tools?: ReactNode;
  children: ReactNode;
}) {
  const leavesFocus = useLeavesFocus();
  return (
    <div className={`row ${styles.bar}`}>
      {props.search}
      <div className={`row ${styles.filters}`}>
        <div className={styles.choices}>{props.children}</div>
        {props.onClear && (
          <Button ref={leavesFocus} variant="quiet" onClick={props.onClear}>
            Clear filters
          </Button>
        )}
      </div>
      {props.tools && <div className={`row ${styles.tools}`}>{props.tools}</div>}
    </div>
  );
}

/** A choice of one value, which can be taken away: before the options, there is one for no filter. */
export function FilterSelect(props: {
  label: string;
  value: string | number | undefined;
  /** Name of the choice without a filter, if not "any" with the label. */
  any?: string;
  /** @param value undefined for that one */
  onChange: (value: string | undefined) => void;
  options: readonly Option[];
}) {
  const isSet = props.value !== undefined;
  const select = useRef<HTMLSelectElement>(null);
  return (
    <span className={styles.choice} data-set={isSet || undefined}>
      <Select
        ref={select}
        aria-label={props.label}
        value={props.value ?? ''}
        options={[{ value: '', label: props.any ?? `${props.label}: any` }, ...props.options]}
        onChange={(event) => props.onChange(event.target.value || undefined)}
      />
      {isSet && (
        <button
          type="button"
          aria-label={`Remove filter: ${props.label}`}
          onClick={() => {
            // This button disappears.
            select.current?.focus();
            props.onChange(undefined);
          }}
        >
          ×
        </button>
      )}
    </span>
  );
}

/** Long enough that a word is one request, short enough to feel immediate; in ms. */
const pause = 180;

/**
 * Lets the filter in the address follow what is typed into a search box: at once for a key after a pause, else a moment after
 * the last key. One or two letters, which most subscribers have, always wait. Back, a view or Clear
 * filters change the address, too: then the box gets the text of the address. What the user is typing wins.
 *
 * @param filter.present the text for the filter that is in the address
 * @param filter.next the text for the filter that what is typed stands for; empty for none
 * @param filter.apply puts `next` into the address
 * @param filter.replace replaces what is in the box
 * @returns applies what is typed without waiting for the moment
 */
export function useTypedFilter(filter: {
  present: string;
  next: string;
  apply: () => void;
  replace: (text: string) => void;
}): () => void {
  const { present, next, apply } = filter;
  const sent = useRef(present);
  const replaceText = useEffectEvent(filter.replace);
  useEffect(() => {
    if (present === sent.current) return;
    sent.current = present;
    replaceText(present);
  }, [present]);

  function applyNow(): void {
    if (next === sent.current) return;
    sent.current = next;
    apply();
  }
  const applyLater = useEffectEvent(applyNow);
  const lastKey = useRef(-Infinity);
  useEffect(() => {
    const now = performance.now();
    const isFirst = now - lastKey.current > pause;
    lastKey.current = now;
    if (next === sent.current) return;
    if (isFirst && next.length > 2) return applyLater();
    const timer = setTimeout(() => applyLater(), pause);
    return () => clearTimeout(timer);
  }, [next]);
  return applyNow;
}
