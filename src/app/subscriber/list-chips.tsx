import { Combobox } from '@base-ui/react/combobox';
import {
  useMemo,
  useRef,
  useState,
  type ClipboardEvent,
  type ComponentProps,
  type KeyboardEvent,
} from 'react';
import { fieldLabels } from '../../contract/service/subscriber-input.ts';
import type { ListName } from '../../contract/service/limits.ts';
import type { FieldParts } from '../components/field.tsx';
import { Icon } from '../components/icon.tsx';
import { isComposing } from '../components/shortcuts.tsx';
import { useAfterPress } from '../components/use-after-press.ts';
import { useBundles } from './bundles.ts';
import { listRulesWith, type Value } from './list-values.ts';
import styles from './list-chips.module.css';

interface ListChipsProps {
  name: ListName;
  values: readonly Value[];
  onChange: (values: Value[]) => void;
  onBlur?: () => void;
  /** Called with the text in the box that has not been added yet; may be empty. */
  onPendingText?: (text: string) => void;
  placeholder?: string;
  parts: FieldParts;
  inputRef?: (input: HTMLInputElement | null) => void;
}

/** The rules of the lists, with the names of bundles. */
function useListRules() {
  const bundles = useBundles();
  return useMemo(() => listRulesWith(bundles), [bundles]);
}

/** One of the four lists, entered value by value: Enter or a comma adds one, Backspace in the empty box removes the last. */
export function ListChips(props: ListChipsProps) {
  const { name, values, parts } = props;
  const { read, show = String, separator = /[,;\s]+/, offers, placeholder } = useListRules()[name];
  const [text, setText] = useState('');
  const [said, setSaid] = useState('');
  /** Sentences about pieces that were not added. */
  const [notAdded, setNotAdded] = useState<readonly string[]>([]);
  const input = useRef<HTMLInputElement>(null);
  const afterPress = useAfterPress();

  // A refused piece stays in the box; a value that is in the list already does not.
  const refusing = notAdded.length > 0 && text !== '';

  function put(next: string): void {
    setText(next);
    props.onPendingText?.(next.trim());
  }

  function type(next: string): void {
    put(next);
    setNotAdded([]);
  }

  function pick(value: Value): void {
    props.onChange([...values, value]);
    type('');
    setSaid(`Added ${show(value)}.`);
  }

  function add(typed: string): void {
    const outcome = readAll(split(typed, separator), read, values);
    if (outcome.added.length > 0) props.onChange([...values, ...outcome.added]);
    put(outcome.remaining.join(separator.test(',') ? ', ' : ' '));
    setSaid(outcome.added.length > 0 ? `Added ${outcome.added.map(show).join(', ')}.` : '');
    setNotAdded([
      ...outcome.refused,
      ...outcome.known.map((value) => `${show(value)} is already in the list.`),
    ]);
  }

  function remove(value: Value): void {
    props.onChange(values.filter((kept) => kept !== value));
    setSaid(`Removed ${show(value)}.`);
    input.current?.focus();
  }

  function press(event: KeyboardEvent): void {
    // With Control or ⌘, Enter saves the form.
    if (isComposing(event.nativeEvent) || event.ctrlKey || event.metaKey) return;
    const last = values.at(-1);
    if (event.key === 'Enter' || (event.key === ',' && separator.test(','))) {
      if (event.key === 'Enter' && text.trim() === '') return;
      event.preventDefault();
      add(text);
    } else if (event.key === 'Backspace' && text === '' && last !== undefined) remove(last);
  }

  function paste(event: ClipboardEvent): void {
    const pasted = event.clipboardData.getData('text');
    if (split(pasted, separator).length < 2) return;
    event.preventDefault();
    add(pasted);
  }

  const inputProps: ComponentProps<'input'> = {
    ...parts,
    ref: (element) => {
      input.current = element;
      props.inputRef?.(element);
    },
    className: styles.input,
    placeholder: props.placeholder ?? placeholder,
    autoComplete: 'off',
    onKeyDown: press,
    onPaste: paste,
    onBlur: () =>
      afterPress(() => {
        if (text.trim() !== '') add(text);
        props.onBlur?.();
      }),
  };

  return (
    <>
      <div className={styles.box} data-invalid={parts['aria-invalid'] ?? (refusing || undefined)}>
        <ul className={styles.list} aria-label={`${fieldLabels[name]}, chosen`}>
          {values.map((value) => (
            <li key={value} className={`chip ${styles.chip}`}>
              <span>{show(value)}</span>
              <button type="button" aria-label={`Remove ${show(value)}`} onClick={() => remove(value)}>
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
        {offers ? (
          <OfferingInput
            input={inputProps}
            text={text}
            onType={type}
            values={values}
            offers={offers}
            show={show}
            onPick={pick}
          />
        ) : (
          <input {...inputProps} value={text} onChange={(event) => type(event.target.value)} />
        )}
      </div>
      <div role="status" className={styles.said}>
        <span className="visually-hidden">{said}</span>
        {notAdded.map((sentence) => (
          <p key={sentence} className={refusing ? 'error' : 'aside'}>
            {sentence}
          </p>
        ))}
      </div>
    </>
  );
}

/** An input that offers the values that its text may mean. Enter takes the first. */
function OfferingInput(props: {
  /** For the input: its label, its error, its place in the list, and what its keys do when nothing is offered. */
  input: ComponentProps<'input'>;
  text: string;
  onType: (text: string) => void;
  values: readonly Value[];
  offers: (text: string, values: readonly Value[]) => Value[];
  show: (value: Value) => string;
  onPick: (value: Value) => void;
}) {
  const { input, text, onType, values, offers, onPick } = props;
  /** The text that the list was opened for: any other closes it, such as what a paste leaves in the box. */
  const [openFor, setOpenFor] = useState<string | null>(null);
  const frame = useRef<HTMLDivElement>(null);
  const offered = useMemo(() => offers(text, values), [offers, text, values]);
  const isOpen = openFor === text && offered.length > 0;
  return (
    <div ref={frame} className={styles.frame}>
      <Combobox.Root<Value, true>
        multiple
        autoHighlight
        openOnInputClick={false}
        items={offered}
        filter={null}
        value={values}
        onValueChange={(next) => {
          const added = next.find((value) => !values.includes(value));
          if (added !== undefined) onPick(added);
        }}
        inputValue={text}
        onInputValueChange={(next, details) => {
          // It would also empty the box when the list closes, and text must not get lost.
          if (details.reason !== 'input-change') return details.cancel();
          onType(next);
          setOpenFor(next.trim() === '' ? null : next);
        }}
        open={isOpen}
        onOpenChange={(open, { reason }) => {
          if (reason !== 'input-change') setOpenFor(open ? text : null);
        }}
      >
        <Combobox.Input
          {...input}
          onKeyDown={(event) => {
            // Base UI would remove all countries.
            if (event.key === 'Escape' && !isOpen) return event.preventBaseUIHandler();
            const isControl = event.ctrlKey || event.metaKey;
            // Enter takes what is offered and must not submit the form, even where the pointer has left the list.
            if (event.key === 'Enter' && isOpen && !isControl) event.preventDefault();
            else input.onKeyDown?.(event);
          }}
          onBlur={(event) => {
            setOpenFor(null);
            input.onBlur?.(event);
          }}
        />
        {/* Without Base UI's own popup, which would hide the rest of the form from screen readers. */}
        {isOpen && (
          // Within the form: in a dialog, the rest of the page is behind it.
          <Combobox.Portal container={frame} keepMounted>
            <Combobox.Positioner
              anchor={() => frame.current?.parentElement ?? null}
              positionMethod="fixed"
              sideOffset={4}
              className={styles.place}
            >
              {/* The scroll bar must not take the focus. */}
              <Combobox.List
                className={`card ${styles.offers}`}
                onMouseDown={(event) => event.preventDefault()}
              >
                {(value: Value) => (
                  <Combobox.Item key={value} value={value} className={styles.item}>
                    {props.show(value)}
                  </Combobox.Item>
                )}
              </Combobox.List>
            </Combobox.Positioner>
          </Combobox.Portal>
        )}
      </Combobox.Root>
    </div>
  );
}

function split(text: string, separator: RegExp): string[] {
  const pieces = text.split(/[\r\n]+/).flatMap((line) => line.split(separator));
  return pieces.map((piece) => piece.trim()).filter((piece) => piece !== '');
}

function readAll(
  pieces: readonly string[],
  read: ReturnType<typeof listRulesWith>[ListName]['read'],
  present: readonly Value[],
) {
  const added: Value[] = [];
  const refused: string[] = [];
  const remaining: string[] = [];
  const known: Value[] = [];
  for (const piece of pieces) {
    const reading = read(piece);
    if ('refused' in reading) {
      refused.push(reading.refused);
      remaining.push(piece);
    } else if ([...present, ...added].includes(reading.value)) known.push(reading.value);
    else added.push(reading.value);
  }
  return { added, refused, remaining, known: [...new Set(known)] };
}
