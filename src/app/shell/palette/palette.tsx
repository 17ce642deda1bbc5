import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useId, useState, useSyncExternalStore, type KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';
import { useQuery } from '@tanstack/react-query';
import { tokenInText } from '../../../contract/bff/access-token.ts';
import type { RecentSubscriber } from '../../../contract/bff/recent.ts';
import { useRecentSubscribers } from '../../subscriber/recent.ts';
import { useTokenSearch, fragmentAdvice } from '../../subscriber/token-search.ts';
import { useApp, type Command } from '../../components/app-context.ts';
import { Dialog } from '../../components/dialog.tsx';
import { isComposing } from '../../components/shortcuts.tsx';
import { useOwnCommands } from './own-commands.ts';
import styles from './palette.module.css';
import type { SubscriberPage } from '../../../contract/service/list-query.ts';
import { describeError } from '../../api/errors.ts';
import { subscriberPageQuery } from '../../api/queries.ts';
import { counted } from '../../components/format.ts';
import { isCalled, readFindText } from '../../list/find-text.ts';

/** Finds commands and subscribers by what the user types. */
export function Palette(props: { typed: string; onClose: () => void; onHelp: () => void }) {
  const { onClose, onHelp } = props;
  const [text, setText] = useState('');
  const [marked, setMarked] = useState<string | null>(null);
  /** True if Enter was pressed before it was known what it chooses. */
  const [isEntered, setEntered] = useState(false);
  const [taken, setTaken] = useState('');
  // The layout passes on what is typed until the box has the focus.
  if (props.typed !== taken) {
    const more = props.typed.slice(taken.length);
    setTaken(props.typed);
    setText(text + more.replaceAll('\n', ''));
    setEntered(more.includes('\n'));
  }
  const { commands: offers } = useApp();
  const offered = useSyncExternalStore(offers.subscribe, offers.get).flat();
  const navigate = useNavigate();
  const open = (id: number) => void navigate({ to: '/subscribers/$id', params: { id }, search: true });
  const filter = (username: string) => void navigate({ to: '/subscribers', search: { username } });
  const run = (command: Command) => {
    // Closing returns the focus, so it comes first: the command may move the focus.
    flushSync(onClose);
    command.run();
  };
  const { previous, ...token } = useTokenSearch((id) => run({ name: '', about: '', run: () => open(id) }));
  const found = useFound(text);
  const recent = useRecentSubscribers(true);
  const openPrevious = previous && { name: `Open ${previous.username}`, about, run: () => open(previous.id) };
  const isEmpty = text === '' && token.sentence === '';
  const hits = asCommands(found, open, filter);
  const matching = (commands: readonly Command[]) => commands.filter(({ name }) => matches(name, text));
  const choices = [
    ...(openPrevious ? [openPrevious] : []),
    // What the page offers for the open subscriber is nearer than those before.
    ...matching(offered),
    ...(isEmpty ? recent.subscribers.map((one) => asCommand(one, 'Last opened', open)) : []),
    ...matching(useOwnCommands(onHelp)),
    ...hits,
  ];
  const isPending = found.isPending || token.isSearching || (isEmpty && recent.isLoading);
  // By name, because others may come before it; a shared view and an own one can have the same.
  const keyOf = ({ name }: Command, index: number) =>
    `${choices.slice(0, index).filter((one) => one.name === name).length} ${name}`;
  const moved = choices.find((command, index) => keyOf(command, index) === marked);
  // Until all choices are there, another one may come before the first.
  const present = moved ?? (isPending ? undefined : choices[0]);
  const list = useId();
  const idOf = (command: Command) => `${list}-${choices.indexOf(command)}`;

  function type(next: string): void {
    const accessToken = tokenInText(next);
    token.search(accessToken);
    setText(accessToken === null ? next : '');
    setMarked(null);
    setEntered(false);
  }
  function press(event: KeyboardEvent): void {
    if (isComposing(event.nativeEvent)) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter') enter();
    else if (step === undefined || choices.length === 0) return;
    else move(step);
    event.preventDefault();
  }
  function enter(): void {
    if (present) run(present);
    // A token opens its subscriber by itself.
    else if (isPending && !token.isSearching) setEntered(true);
  }
  function move(step: number): void {
    const from = present ? choices.indexOf(present) : step > 0 ? -1 : 0;
    setMarked(choices.map(keyOf).at((from + step) % choices.length) ?? null);
    setEntered(false);
  }
  const finish = useEffectEvent(() => {
    // A command stood there before the subscribers did. It is meant only where no subscriber is.
    const first = hits[0] ?? choices[0];
    // After this rendering, because it closes the palette at once.
    if (first && !found.hasFailed) queueMicrotask(() => run(first));
  });
  useEffect(() => {
    if (isEntered && !isPending) finish();
  }, [isEntered, isPending]);

  return (
    <Dialog title="Find a command or a subscriber" onClose={onClose}>
      <input
        type="text"
        role="combobox"
        aria-label="Command, username, email, #ID or access token"
        aria-expanded={choices.length > 0}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={present && idOf(present)}
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
      <p role="status" className={`small ${styles.said}`}>
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
  return (
    <div id={id} role="listbox" aria-label="Commands and subscribers" className={`stack ${styles.choices}`}>
      {[...Map.groupBy(choices, ({ about }) => about)].map(([about, group], index) => (
        <div key={about} role="group" aria-labelledby={`${id}-group-${index}`}>
          <div id={`${id}-group-${index}`} role="presentation" className={`label ${styles.about}`}>
            {about}
          </div>
          {group.map((command) => (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the box has the keys (ARIA's combobox)
            <div
              key={idOf(command)}
              ref={command === present ? reveal : undefined}
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

const reveal = (choice: HTMLElement | null) => choice?.scrollIntoView({ block: 'nearest' });

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
    ...subscribers.map((one) => asCommand(one, about, open)),
  ];
}

const asCommand = (
  { id, username, email }: RecentSubscriber,
  about: string,
  open: (id: number) => void,
): Command => ({ name: `${username} · ${email}`, about, run: () => open(id) });

/** True if each typed word begins a word of the name; parts of words would match too many commands. */
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
  subscribers: readonly RecentSubscriber[];
  /** True until the answer is there. */
  isPending?: boolean;
  hasFailed?: boolean;
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
  const isSettled = query !== null && settled === JSON.stringify(query);
  const page = useQuery({
    ...subscriberPageQuery(query ?? {}),
    enabled: isSettled,
  });
  const id = finding.kind === 'filter' ? finding.id : null;
  const none = { subscribers: [], id };
  if (finding.kind === 'refused') return { ...none, sentence: finding.reason };
  if (finding.kind === 'fragment') return { ...none, sentence: fragmentAdvice };
  if (finding.kind === 'filter' && finding.needsEnter)
    return { ...none, username: finding.username, sentence: 'Press Enter to search for this.' };
  if (finding.kind === 'token' && finding.needsEnter)
    return { ...none, sentence: 'Find this token in the box above the list of subscribers.' };
  if (finding.kind !== 'filter' || !query) return { ...none, sentence: '' };
  if (isSettled && page.isError)
    return {
      ...none,
      hasFailed: true,
      sentence: `Couldn’t search subscribers. ${describeError(page.error, 'read')}`,
    };
  if (!isSettled || !page.data || page.isPlaceholderData)
    return { ...none, isPending: true, sentence: 'Searching subscribers…' };
  const isWhole = isCalled(finding.email ?? finding.username);
  const subscribers = page.data.items.toSorted((one, other) => Number(isWhole(other)) - Number(isWhole(one)));
  return { subscribers, id, sentence: describeFound(page.data) };
}

function describeFound({ items, totalCount }: SubscriberPage): string {
  if (totalCount === 0) return 'No subscribers found.';
  const shown = totalCount > items.length ? ` Showing the first ${items.length}.` : '';
  return `${counted(totalCount, 'subscriber')} found.${shown}`;
}

function queryOf({ username, email }: { username: string | undefined; email: string | undefined }) {
  if ((username ?? email) === undefined) return null;
  return { PageSize: mostFound, ...(email === undefined ? { Username: username } : { Email: email }) };
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
