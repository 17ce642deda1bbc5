import {
  useRef,
  useState,
  type ClipboardEvent,
  type ComponentProps,
  type ComponentType,
  type KeyboardEvent,
} from 'react';
import type { FieldParts } from './field.tsx';
import { Icon } from './icon.tsx';
import { useAfterPress } from './use-after-press.ts';
import styles from './chips.module.css';

/** The value of a typed piece, or why it is refused. */
export type ChipReading<T> = { value: T } | { refused: string };

/** What a box that offers values gets, in place of the plain one. */
export interface OfferBoxProps<T extends string | number> {
  /** For the input: its label, its error, its place in the list, and what its keys do when nothing is offered. */
  input: ComponentProps<'input'>;
  text: string;
  onType: (text: string) => void;
  values: readonly T[];
  onPick: (value: T) => void;
}

export interface ChipsProps<T extends string | number> {
  values: readonly T[];
  onChange: (values: T[]) => void;
  onBlur?: () => void;
  /** Called with the text in the box that has not been added yet; may be empty. */
  onPendingText?: (text: string) => void;
  /** Reads one typed or pasted piece. */
  read: (piece: string) => ChipReading<T>;
  /** The text of a value; `String` by default. */
  show?: (value: T) => string;
  /** Separates pieces, in addition to line breaks. User agents contain commas and spaces, so they need their own. */
  separator?: RegExp;
  placeholder: string;
  /** Offers values while somebody types; a plain input by default. */
  offerBox?: ComponentType<OfferBoxProps<T>>;
  parts: FieldParts;
  label: string;
  inputRef?: (input: HTMLInputElement | null) => void;
}

/** A list entered value by value: Enter or a comma adds one, Backspace in the empty box removes the last. */
export function Chips<T extends string | number>(props: ChipsProps<T>) {
  const { values, show = String, separator = /[,;\s]+/, parts, offerBox: OfferBox } = props;
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

  function pick(value: T): void {
    props.onChange([...values, value]);
    type('');
    setSaid(`Added ${show(value)}.`);
  }

  function add(typed: string): void {
    const outcome = readAll(split(typed, separator), props.read, values);
    if (outcome.added.length > 0) props.onChange([...values, ...outcome.added]);
    put(outcome.left.join(separator.test(',') ? ', ' : ' '));
    setSaid(outcome.added.length > 0 ? `Added ${outcome.added.map(show).join(', ')}.` : '');
    setNotAdded([
      ...outcome.refused,
      ...outcome.known.map((value) => `${show(value)} is already in the list.`),
    ]);
  }

  function remove(value: T): void {
    props.onChange(values.filter((kept) => kept !== value));
    setSaid(`Removed ${show(value)}.`);
    input.current?.focus();
  }

  function press(event: KeyboardEvent): void {
    // With Control or ⌘, Enter saves the form.
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey) return;
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
    placeholder: props.placeholder,
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
    <div>
      <div className={styles.box} data-invalid={parts['aria-invalid'] ?? (refusing || undefined)}>
        <ul className={styles.list} aria-label={`${props.label}, chosen`}>
          {values.map((value) => (
            <Chip key={value} name={show(value)} onRemove={() => remove(value)} />
          ))}
        </ul>
        {OfferBox ? (
          <OfferBox input={inputProps} text={text} onType={type} values={values} onPick={pick} />
        ) : (
          <input {...inputProps} value={text} onChange={(event) => type(event.target.value)} />
        )}
      </div>
      <div role="status">
        <span className="visually-hidden">{said}</span>
        {notAdded.map((sentence) => (
          <p key={sentence} className={refusing ? 'error' : 'aside'}>
            {sentence}
          </p>
        ))}
      </div>
    </div>
  );
}

function Chip({ name, onRemove }: { name: string; onRemove: () => void }) {
  return (
    <li className={`chip ${styles.chip}`}>
      <span>{name}</span>
      <button type="button" aria-label={`Remove ${name}`} onClick={onRemove}>
        <Icon name="close" />
      </button>
    </li>
  );
}

function split(text: string, separator: RegExp): string[] {
  const pieces = text.split(/[\r\n]+/).flatMap((line) => line.split(separator));
  return pieces.map((piece) => piece.trim()).filter((piece) => piece !== '');
}

function readAll<T>(
  pieces: readonly string[],
  read: (piece: string) => ChipReading<T>,
  present: readonly T[],
) {
  const added: T[] = [];
  const refused: string[] = [];
  const left: string[] = [];
  const known: T[] = [];
  for (const piece of pieces) {
    const reading = read(piece);
    if ('refused' in reading) {
      refused.push(reading.refused);
      left.push(piece);
    } else if ([...present, ...added].includes(reading.value)) known.push(reading.value);
    else added.push(reading.value);
  }
  return { added, refused, left, known: [...new Set(known)] };
}
