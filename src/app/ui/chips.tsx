import { useId, useRef, useState, type ClipboardEvent, type KeyboardEvent } from 'react';
import type { FieldParts } from './field.tsx';
import { Icon } from './icon.tsx';
import styles from './chips.module.css';

/** What became of a typed piece: the value to keep, or why it cannot be kept. */
export type ChipReading<T> = { value: T } | { refused: string };

export interface ChipsProps<T extends string | number> {
  values: readonly T[];
  onChange: (values: T[]) => void;
  onBlur?: () => void;
  /** Reads one typed or pasted piece. */
  read: (piece: string) => ChipReading<T>;
  /** How a value is shown; its own text unless this says otherwise. */
  show?: (value: T) => string;
  /** What separates pieces of a paste, a line break aside. A user agent holds commas and blanks. */
  separator?: RegExp;
  placeholder: string;
  suggestions?: readonly string[];
  parts: FieldParts;
  label: string;
}

/** A list entered value by value: Enter or a comma adds, Backspace in the empty box takes the last one away. */
export function Chips<T extends string | number>(props: ChipsProps<T>) {
  const { values, show = String, separator = /[,;\s]+/, parts } = props;
  const [text, setText] = useState('');
  const [note, setNote] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const list = useId();

  function add(pieces: readonly string[]): void {
    const outcome = readAll(pieces, props.read, values);
    if (outcome.added.length > 0) props.onChange([...values, ...outcome.added]);
    setText(outcome.left.join(', '));
    setNote(
      [outcome.added.length > 0 ? `Added ${outcome.added.map(show).join(', ')}.` : '', ...outcome.refused]
        .join(' ')
        .trim(),
    );
  }

  function remove(value: T): void {
    props.onChange(values.filter((kept) => kept !== value));
    setNote(`Removed ${show(value)}.`);
    input.current?.focus();
  }

  function press(event: KeyboardEvent): void {
    const last = values.at(-1);
    if (event.key === 'Enter' || (event.key === ',' && separator.test(','))) {
      if (event.key === 'Enter' && text.trim() === '') return;
      event.preventDefault();
      add([text]);
    } else if (event.key === 'Backspace' && text === '' && last !== undefined) remove(last);
  }

  function paste(event: ClipboardEvent): void {
    const pasted = event.clipboardData.getData('text');
    const pieces = pasted.split(/[\r\n]+/).flatMap((line) => line.split(separator));
    if (pieces.filter((piece) => piece.trim() !== '').length < 2) return;
    event.preventDefault();
    add(pieces);
  }

  return (
    <div>
      <div className={styles.box} data-invalid={parts['aria-invalid']}>
        <ul className={styles.list} aria-label={`${props.label}, chosen`}>
          {values.map((value) => (
            <li key={value} className={styles.chip}>
              <span>{show(value)}</span>
              <button type="button" aria-label={`Remove ${show(value)}`} onClick={() => remove(value)}>
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
        <input
          {...parts}
          ref={input}
          className={styles.input}
          value={text}
          placeholder={props.placeholder}
          autoComplete="off"
          list={props.suggestions ? list : undefined}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={press}
          onPaste={paste}
          onBlur={() => {
            if (text.trim() !== '') add([text]);
            props.onBlur?.();
          }}
        />
      </div>
      {props.suggestions && (
        <datalist id={list}>
          {props.suggestions.map((suggestion) => (
            <option key={suggestion} value={suggestion} />
          ))}
        </datalist>
      )}
      <p
        role="status"
        className={
          note.includes('Added') || note.includes('Removed') || note === '' ? 'visually-hidden' : styles.note
        }
      >
        {note}
      </p>
    </div>
  );
}

function readAll<T>(
  pieces: readonly string[],
  read: (piece: string) => ChipReading<T>,
  present: readonly T[],
) {
  const added: T[] = [];
  const refused: string[] = [];
  const left: string[] = [];
  for (const piece of pieces.map((piece) => piece.trim()).filter((piece) => piece !== '')) {
    const reading = read(piece);
    if ('refused' in reading) {
      refused.push(reading.refused);
      left.push(piece);
    } else if (!present.includes(reading.value) && !added.includes(reading.value)) added.push(reading.value);
  }
  return { added, refused, left };
}
