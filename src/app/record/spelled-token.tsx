import { useEffect, useRef } from 'react';
import { Dialog } from '../components/dialog.tsx';
import styles from './token-section.module.css';

/** The spelling alphabet of the ICAO, by letter. */
const words =
  'alfa bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november oscar papa quebec romeo sierra tango uniform victor whiskey x-ray yankee zulu'.split(
    ' ',
  );
const signs: Readonly<Record<string, string>> = { '-': 'hyphen', _: 'underscore' };

/** "capital Delta", "small kilo", "9", "underscore". */
function spell(character: string): string {
  const word = words[character.toLowerCase().charCodeAt(0) - 97];
  if (word === undefined) return signs[character] ?? character;
  const isCapital = character !== character.toLowerCase();
  return isCapital ? `capital ${word.charAt(0).toUpperCase()}${word.slice(1)}` : `small ${word}`;
}

/** The access token to be read out on the phone: in groups of four, with a word for each letter. */
export function SpelledToken(props: { username: string; token: string; onClose: () => void }) {
  const groups = props.token.match(/.{1,4}/gu) ?? [];
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    // In a low window, the button that gets the focus is below the first groups.
    const dialog = list.current?.closest('dialog');
    if (dialog) dialog.scrollTop = 0;
  }, []);
  return (
    <Dialog title={`Access token of ${props.username}`} onClose={props.onClose}>
      <ol ref={list} className={`stack ${styles.groups}`}>
        {groups.map((group, index) => (
          <li key={index}>
            <code>{group}</code>
            <span className="aside">{Array.from(group, spell).join(', ')}</span>
          </li>
        ))}
      </ol>
    </Dialog>
  );
}
