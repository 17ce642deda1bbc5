import { useNavigate } from '@tanstack/react-router';
import { useId, useState, useSyncExternalStore, type KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';
import { tokenInText } from '../../../contract/bff/access-token.ts';
import { useTokenSearch } from '../../api/token-search.ts';
import { useApp } from '../../components/app-context.ts';
import type { Command } from '../../components/commands.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { inputClass } from '../../components/field.tsx';
import { Choices } from './choices.tsx';
import { useOwnCommands } from './own-commands.ts';
import { useFound, type Found } from './use-found.ts';
import styles from './palette.module.css';

/** Every command and every subscriber by name, for whoever would rather type than look for it. */
export function Palette(props: { typed: string; onClose: () => void; onHelp: () => void }) {
  const { onClose, onHelp } = props;
  const [text, setText] = useState(props.typed);
  const [taken, setTaken] = useState(props.typed);
  // Until the box has the focus, a letter may still come that way.
  if (props.typed !== taken) {
    setTaken(props.typed);
    setText(text + props.typed.slice(taken.length));
  }
  const [marked, setMarked] = useState<string | null>(null);
  const { commands: offers } = useApp();
  const offered = useSyncExternalStore(offers.subscribe, offers.list);
  const open = useOpen();
  const run = (command: Command) => {
    // The focus is back where it was before anything else takes it.
    flushSync(onClose);
    command.run();
  };
  const token = useTokenSearch((id) => run({ name: '', about: '', run: () => open(id) }));
  const found = useFound(text);
  const commands = [...offered, ...useOwnCommands(onHelp)].filter(({ name }) => matches(name, text));
  const choices = [...commands, ...asCommands(found, open)];
  const present = choices.find(({ name }) => name === marked) ?? choices[0];
  const list = useId();
  const idOf = (command: Command) => `${list}-${choices.indexOf(command)}`;

  function type(next: string): void {
    const accessToken = tokenInText(next);
    token.search(accessToken);
    setText(accessToken === null ? next : '');
    setMarked(null);
  }
  function press(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing || !present) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter') run(present);
    else if (step === undefined) return;
    else setMarked(choices.at((choices.indexOf(present) + step) % choices.length)?.name ?? null);
    event.preventDefault();
  }

  return (
    <Dialog
      title="Find a command or a subscriber"
      onClose={onClose}
      actions={<Button onClick={onClose}>Close</Button>}
    >
      <input
        type="text"
        role="combobox"
        aria-label="Command, username, email, #id or access token"
        aria-expanded={choices.length > 0}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={present && idOf(present)}
        className={inputClass}
        placeholder="Command, username, email, #id or access token"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={4000}
        value={text}
        onChange={(event) => type(event.target.value)}
        onKeyDown={press}
      />
      <Choices id={list} choices={choices} present={present} idOf={idOf} onChoose={run} />
      <p role="status" className={styles.said}>
        {token.sentence || found.sentence || (choices.length === 0 && 'Nothing has this name.')}
      </p>
    </Dialog>
  );
}

/** Opens a subscriber beside the list, as the find box does. */
function useOpen(): (id: number) => void {
  const navigate = useNavigate();
  return (id) => void navigate({ to: '/subscribers/$id', params: { id }, search: true });
}

const about = 'Subscribers';

function asCommands({ subscribers, id }: Found, open: (id: number) => void): Command[] {
  const byId = { name: `Open #${id}`, about, run: () => id !== null && open(id) };
  return [
    ...(id === null ? [] : [byId]),
    ...subscribers.map((one) => ({
      name: `${one.username} · ${one.email}`,
      about,
      run: () => open(one.id),
    })),
  ];
}

/** Whether every word of a text begins one of a name: a part of somebody's name should not find half the commands. */
function matches(name: string, text: string): boolean {
  const there = wordsOf(name);
  return wordsOf(text).every((word) => there.some((other) => other.startsWith(word)));
}

const wordsOf = (text: string): string[] =>
  text
    .toLocaleLowerCase()
    .split(/[\s:-]+/)
    .filter(Boolean);
