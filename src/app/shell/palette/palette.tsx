import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useId, useRef, useState, useSyncExternalStore, type KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';
import { tokenInText } from '../../../contract/bff/access-token.ts';
import type { ListQuery, SubscriberPage } from '../../../contract/service/list-query.ts';
import type { Subscriber } from '../../../contract/service/subscriber.ts';
import { describeReadFailure } from '../../api/error-kinds.ts';
import { subscriberPageQuery } from '../../api/queries.ts';
import { fragmentAdvice, useTokenSearch } from '../../api/token-search.ts';
import { useApp } from '../../components/app-context.ts';
import type { Command } from '../../components/commands.ts';
import { Button } from '../../components/button.tsx';
import { counted } from '../../components/count.ts';
import { Dialog } from '../../components/dialog.tsx';
import { inputClass } from '../../components/field.tsx';
import { readFindText } from '../../subscribers/list/find-text.ts';
import { useOwnCommands } from './own-commands.ts';
import styles from './palette.module.css';

/** Finds commands and subscribers by what the user types. */
export function Palette(props: { typed: string; onClose: () => void; onHelp: () => void }) {
  const { onClose, onHelp } = props;
  const [text, setText] = useState(props.typed);
  const [taken, setTaken] = useState(props.typed);
  // The layout passes on what is typed until the box has the focus.
  if (props.typed !== taken) {
    setTaken(props.typed);
    setText(text + props.typed.slice(taken.length));
  }
  const [marked, setMarked] = useState<string | null>(null);
  const { commands: offers } = useApp();
  const offered = useSyncExternalStore(offers.subscribe, offers.list);
  const open = useOpen();
  const run = (command: Command) => {
    // Closing returns the focus, so it comes first: the command may move the focus.
    flushSync(onClose);
    command.run();
  };
  const token = useTokenSearch((id) => run({ name: '', about: '', run: () => open(id) }));
  const found = useFound(text);
  const commands = [...offered, ...useOwnCommands(onHelp)].filter(({ name }) => matches(name, text));
  const { former } = token;
  const formerOwner = former && { name: `Open ${former.username}`, about, run: () => open(former.id) };
  const choices = [
    ...(formerOwner ? [formerOwner] : []),
    ...commands,
    ...asCommands(found, open, useFilter()),
  ];
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
        aria-label="Command, username, email, #ID or access token"
        aria-expanded={choices.length > 0}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={present && idOf(present)}
        className={inputClass}
        placeholder="Command, name, email, #ID or token"
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
        {token.sentence || found.sentence || (choices.length === 0 && 'No matching command or subscriber.')}
      </p>
    </Dialog>
  );
}

/** The matches, in groups. The focus stays in the box above, which refers to the active one. */
function Choices(props: {
  id: string;
  choices: readonly Command[];
  present: Command | undefined;
  idOf: (command: Command) => string;
  onChoose: (command: Command) => void;
}) {
  const { id, choices, present, idOf } = props;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  });
  return (
    <div ref={list} id={id} role="listbox" aria-label="Commands and subscribers" className={styles.choices}>
      {[...Map.groupBy(choices, ({ about }) => about)].map(([about, group], index) => (
        <div key={about} role="group" aria-labelledby={`${id}-group-${index}`}>
          <div id={`${id}-group-${index}`} role="presentation" className={styles.about}>
            {about}
          </div>
          {group.map((command) => (
            // The box handles the keys, as in the ARIA combobox pattern; a click must not take the focus from it.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
            <div
              key={command.name}
              id={idOf(command)}
              role="option"
              aria-selected={command === present}
              className={styles.choice}
              tabIndex={-1}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => props.onChoose(command)}
            >
              {command.name}
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

/** Opens a subscriber beside the list, as the find box does. */
function useOpen(): (id: number) => void {
  const navigate = useNavigate();
  return (id) => void navigate({ to: '/subscribers/$id', params: { id }, search: true });
}

/** Filters the list by a part of a username. */
function useFilter(): (username: string) => void {
  const navigate = useNavigate();
  return (username) => void navigate({ to: '/subscribers', search: { username } });
}

const about = 'Subscribers';

function asCommands(
  { subscribers, id, username }: Found,
  open: (id: number) => void,
  filter: (username: string) => void,
): Command[] {
  const byId = { name: `Open #${id}`, about, run: () => id !== null && open(id) };
  return [
    ...(username === undefined ? [] : [{ name: `Find “${username}”`, about, run: () => filter(username) }]),
    ...(id === null ? [] : [byId]),
    ...subscribers.map((one) => ({
      name: `${one.username} · ${one.email}`,
      about,
      run: () => open(one.id),
    })),
  ];
}

/** Whether each typed word begins a word of the name; parts of words would match too many commands. */
function matches(name: string, text: string): boolean {
  const there = wordsOf(name);
  return wordsOf(text).every((word) => there.some((other) => other.startsWith(word)));
}

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[\s:-]+/)
    .filter(Boolean);

/** In ms: long enough that a word is one request, short enough to feel immediate. */
const pause = 180;
const mostFound = 8;

interface Found {
  subscribers: readonly Subscriber[];
  /** The id, if the text may be one. */
  id: number | null;
  /** A text that is not searched for by itself, because it may be a part of a token. */
  username?: string | undefined;
  /** The state of the search for the user; may be empty. */
  sentence: string;
}

/** Subscribers by username or email, searched when typing pauses. Never returns those of an earlier text. */
function useFound(text: string): Found {
  const finding = readFindText(text);
  const query = finding.kind === 'filter' && !finding.needsEnter ? queryOf(finding) : null;
  const settled = useSettled(query ? JSON.stringify(query) : '');
  const isAsked = query !== null && settled === JSON.stringify(query);
  const page = useQuery({
    ...subscriberPageQuery(query ?? {}),
    enabled: isAsked,
  });
  const id = finding.kind === 'filter' ? finding.id : null;
  const none = { subscribers: [], id };
  if (finding.kind === 'refused') return { ...none, sentence: finding.reason };
  if (finding.kind === 'fragment') return { ...none, sentence: fragmentAdvice };
  if (finding.kind === 'filter' && finding.needsEnter)
    return { ...none, username: finding.username, sentence: 'Press Enter to search for this.' };
  if (!query) return { ...none, sentence: '' };
  if (isAsked && page.isError)
    return { ...none, sentence: `Couldn’t search subscribers. ${describeReadFailure(page.error)}` };
  if (!isAsked || !page.data || page.isPlaceholderData)
    return { ...none, sentence: 'Searching subscribers…' };
  return { subscribers: page.data.items, id, sentence: describeFound(page.data) };
}

function describeFound({ items, totalCount }: SubscriberPage): string {
  if (totalCount === 0) return 'No subscribers found.';
  const shown = totalCount > items.length ? ` Showing the first ${items.length}.` : '';
  return `${counted(totalCount, 'subscriber')} found.${shown}`;
}

function queryOf({ username, email }: { username: string | undefined; email: string | undefined }) {
  if (username === undefined && email === undefined) return null;
  const query: ListQuery = { PageSize: mostFound };
  if (username !== undefined) query.Username = username;
  if (email !== undefined) query.Email = email;
  return query;
}

/** The text, as soon as it has stayed the same for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pause);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
