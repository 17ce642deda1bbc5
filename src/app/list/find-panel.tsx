import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import {
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type ComponentProps,
  type KeyboardEvent,
  type RefObject,
} from 'react';
import type { RecentSubscriber } from '../../contract/bff/recent.ts';
import { needsScan } from '../../contract/service/list-rules.ts';
import { ListQuery, type SubscriberPage } from '../../contract/service/list-query.ts';
import { subscriberPageQuery } from '../api/queries.ts';
import { useSession } from '../api/session.ts';
import { describeError } from '../api/errors.ts';
import { useRecentSubscribers } from '../subscriber/recent.ts';
import { fragmentAdvice, useTokenSearch } from '../subscriber/token-search.ts';
import { useApp } from '../components/app-context.ts';
import { counted } from '../components/format.ts';
import { Key } from '../components/shortcuts.tsx';
import { useLazyModule } from '../components/use-lazy-module.ts';
import { bundlesQuery } from '../subscriber/bundles.ts';
import { listWords } from '../subscriber/subscriber-fields.ts';
import { filterWords } from '../subscriber/filter-words.ts';
import { rowLink, toListQuery, withFilter } from '../subscriber/list-address.ts';
import { useStatuses } from '../subscriber/status-badge.tsx';
import { isCalled, termNames, type Finding, type PressedKey } from './find-text.ts';
import { Nearest, useTextMatches } from './nearest.tsx';
import { useListAddress } from './use-list-address.ts';
import styles from '../components/search-box.module.css';

export { readFindText } from './find-text.ts';

/**
 * The texts and offers below the find box. It searches for tokens, and does what the keys in the box ask for as soon as
 * the rows are those of the text.
 */
export function FindPanel(props: {
  finding: Finding;
  /** True if the text is searched for only after Enter. */
  waits: boolean;
  /** True if the box has the focus, and Escape has not closed this. */
  isOpen: boolean;
  /** The rows that the text finds; undefined until they are loaded. */
  page: SubscriberPage | undefined;
  pressed: PressedKey | null;
  /** The key is done. @param text for the box, if it changes */
  onDone: (text?: string) => void;
}) {
  const { finding, waits, isOpen, page, pressed, onDone } = props;
  const navigate = useNavigate();
  const show = (id: number) => void navigate({ to: '/subscribers/$id', params: { id }, search: true });
  const closePane = () =>
    void navigate({ to: '/subscribers', search: true, state: true, resetScroll: false });
  const open = (id: number) => {
    onDone('');
    show(id);
  };
  const { previous, ...token } = useTokenSearch(open);
  const accessToken = finding.kind === 'token' && !waits ? finding.accessToken : null;
  const search = useEffectEvent((next: string | null) => {
    token.search(next);
    if (next !== null) closePane();
  });
  useEffect(() => search(accessToken), [accessToken]);

  const id = finding.kind === 'filter' ? finding.id : null;
  const terms = finding.kind === 'filter' ? finding.terms : [];
  /** True while the box is empty because its filters were applied: then it offers nothing over what they found. */
  const [isApplied, setApplied] = useState(false);
  const filters = useTypedTerms(finding, (text) => {
    setApplied(true);
    onDone(text);
  });
  const holders = useTokenHolders(finding, open);
  const typed = holders === undefined ? filters : holders;
  const isBlank =
    finding.kind === 'filter' && id === null && !finding.username && !finding.email && terms.length === 0;
  if (isApplied && !(isBlank && isOpen)) setApplied(false);
  const isEmpty = isBlank && !isApplied;
  const recent = useRecentSubscribers(isOpen && isEmpty);
  const hasRecent = recent.subscribers.length > 0;
  // Below an empty box alone they would cover the rows, also for those who search for nothing.
  const extensions = useSession()?.extensions ?? [];
  const names = (hasRecent ? termNames : namesBeginning(finding)).filter(
    (name) => name !== 'note' || extensions.includes('Note'),
  );
  const list = useRef<HTMLUListElement>(null);
  const isSearch = finding.kind === 'filter' && (finding.username ?? finding.email) !== undefined && !waits;
  const { own, other, swap, nearest, notes } = useTextMatches(
    isSearch && isOpen ? page?.totalCount : undefined,
  );
  const isOnlyElsewhere = own?.count === 0 && other?.count !== undefined && other.count > 0;
  const showOther = useEffectEvent(swap);
  useEffect(() => {
    if (isOnlyElsewhere) showOther();
  }, [isOnlyElsewhere]);

  /** True if what a key goes to is known. Never a row of the search before: its caller is another one. */
  function isKnownFor(key: PressedKey): boolean {
    if (terms.length > 0) return key === 'Escape' || typed?.isPending === false;
    if (key === 'Escape' || (key === 'Enter' && (previous || id !== null))) return true;
    if (key !== 'ArrowDown' && !isSearch) return true;
    if (recent.isLoading || hasRecent) return hasRecent;
    if (!page || isOnlyElsewhere) return false;
    return other?.count !== undefined || (key !== 'Shift+Enter' && !(isSearch && own?.count === 0));
  }
  const act = useEffectEvent((key: PressedKey) => {
    const first = page?.items[0];
    onDone();
    if (key === 'Escape') closePane();
    else if (key === 'ArrowDown' && (typed || hasRecent)) focusEntry(list.current?.firstElementChild);
    else if (typed) typed.apply();
    else if (key === 'Enter' && previous) open(previous.id);
    else if (key === 'Enter' && id !== null) open(id);
    else if (key === 'ArrowDown') focusRow(first?.id ?? nearest[0]?.id);
    else if (key === 'Shift+Enter' && isSearch) swap();
    else if (first && isSearch)
      show((page.items.find(isCalled(finding.email ?? finding.username)) ?? first).id);
  });
  const due = pressed !== null && isKnownFor(pressed) ? pressed : null;
  useEffect(() => {
    if (due !== null) act(due);
  }, [due]);

  const said =
    token.sentence || typed?.sentence || sentenceOf(finding, waits) || (hasRecent ? recentTitle : '');
  const offers = isOpen && (id !== null || own !== undefined || names.length > 0 || typed !== null);
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- only keeps the focus in the box, see below
    <div
      className={said === '' && !offers ? 'visually-hidden' : `row card ${styles.outcome}`}
      // A press must not take the focus from the box, or this would close before the click.
      onMouseDown={(event) => event.preventDefault()}
    >
      <p role="status">{said}</p>
      {hasRecent && <Key>↓</Key>}
      {isOpen && typed?.question && (
        <Offer onClick={typed.apply}>
          {typed.question} <Key>↵</Key>
        </Offer>
      )}
      {isOpen && (
        <OfferList
          ref={list}
          label={typed ? 'Values' : recentTitle}
          offers={typed?.offers ?? recent.subscribers.map((one) => offerOf(one, one.email, open))}
        />
      )}
      {isOpen && names.length > 0 && (
        <p className="row">
          <span className="muted">Filters:</span>
          {names.map((name) => (
            <Offer key={name} tabIndex={-1} onClick={() => onDone(`${name}:`)}>
              {name}:
            </Offer>
          ))}
        </p>
      )}
      {previous && (
        <Offer onClick={() => open(previous.id)}>
          Open {previous.username} <Key>↵</Key>
        </Offer>
      )}
      {isOpen && id !== null && (
        <Offer onClick={() => open(id)}>
          Open #{id} <Key>↵</Key>
        </Offer>
      )}
      {own && <span>{counted(own.count, own.field)}</span>}
      {other?.count !== undefined && (
        <Offer onClick={swap}>
          {counted(other.count, other.field)} <Key>⇧↵</Key>
        </Offer>
      )}
      {notes && <Offer onClick={notes.show}>{counted(notes.count, 'note')}</Offer>}
      <Nearest of={nearest} onOpen={() => onDone('')} />
    </div>
  );
}

const Offer = (props: ComponentProps<'button'>) => (
  <button type="button" className={styles.offer} {...props} />
);

/** The reason why the list cannot be searched for the text, or not yet; empty if it can. */
function sentenceOf(finding: Finding, waits: boolean): string {
  if (finding.kind === 'fragment') return fragmentAdvice;
  if (waits) return `Press Enter to search for this${finding.kind === 'token' ? ' access token' : ''}.`;
  return finding.kind === 'refused' ? `Can’t search for this. ${finding.reason}` : '';
}

/** The filters whose name may be meant by what is typed. */
function namesBeginning(finding: Finding) {
  if (finding.kind !== 'filter' || !finding.username || finding.terms.length > 0) return [];
  const { username } = finding;
  return termNames.filter((name) => name.startsWith(username.toLowerCase()));
}

/**
 * Subscribers whose token has the last characters that are typed, which never get into the address; null until they are
 * known, undefined if none are.
 */
function useTokenHolders(finding: Finding, onOpen: (id: number) => void) {
  const extensions = useSession()?.extensions ?? [];
  const terms = finding.kind === 'filter' ? finding.terms : [];
  const end = terms.find(({ name }) => name === 'token')?.value;
  const isWhole =
    extensions.includes('TokenEnd') && end !== undefined && ListQuery.shape.TokenEnd.safeParse(end).success;
  const read = useQuery({
    ...subscriberPageQuery({ TokenEnd: end, PageSize: mostHolders }),
    enabled: isWhole,
  });
  if (!isWhole) return undefined;
  if (read.isError) return { ...noHolders, sentence: describeError(read.error) };
  if (read.data === undefined || read.isPlaceholderData) return null;
  const { items, totalCount } = read.data;
  const [only] = totalCount === 1 ? items : [];
  return {
    ...noHolders,
    sentence:
      totalCount === 0
        ? `No access token ends with “${end}”.`
        : `${counted(totalCount, 'access token ends', 'access tokens end')} with “${end}”.`,
    offers: items.map((one) => offerOf(one, `${one.email} · token …${one.accessToken.slice(-4)}`, onOpen)),
    apply: () => only && onOpen(only.id),
  };
}

/** Opens a subscriber. */
const offerOf = ({ id, username }: RecentSubscriber, note: string, onOpen: (id: number) => void) => ({
  key: String(id),
  text: username,
  note,
  onPick: () => onOpen(id),
});

const noHolders = { question: false, isPending: false, offers: [], apply: () => undefined };

/** The most of them that are offered: four characters are few people's. */
const mostHolders = 8;

const recentTitle = 'Last opened';

/** Reads the filters that are typed, as soon as the code and the names for that are loaded; null without one. */
function useTypedTerms(finding: Finding, onDone: (text: string) => void) {
  const { address, filter } = useListAddress();
  const navigate = useNavigate();
  const statuses = useStatuses();
  const extensions = useSession()?.extensions ?? [];
  const { terms, username, email } = finding.kind === 'filter' ? finding : noTerms;
  const part = useLazyModule(() => import('./find-terms.ts'), terms.length > 0);
  const named = useQuery({ ...bundlesQuery, enabled: terms.some(({ name }) => name === 'bundle') });
  const bundles = named.data?.bundles ?? [];
  const isReadable = part && statuses && terms.length > 0 && !named.isLoading;
  const reading = isReadable ? part.readTerms(terms, { statuses, bundles, extensions }) : null;
  const isAddress = reading?.sentence === null && Object.keys(reading.change).join() === 'ip';
  const target = withFilter(address, { username, email, ...reading?.change });
  const query = toListQuery(target);
  const users = useQuery({
    ...subscriberPageQuery(query),
    enabled: isAddress && !needsScan(query, extensions),
  });
  if (!reading) return null;
  const { change, sentence, offers } = reading;
  const rest = username ?? email ?? '';
  const apply = (added: typeof change) => {
    filter({ username, email, ...added }, false, '/subscribers');
    onDone(rest);
  };
  const show = () => {
    const [user] = isAddress && users.data?.totalCount === 1 ? users.data.items : [];
    if (!user) return apply(change);
    void navigate({ to: '/subscribers/$id', params: { id: user.id }, search: target });
    onDone(rest);
  };
  const words = filterWords(toListQuery(withFilter({}, change)), statuses, bundles);
  return {
    sentence: sentence ?? (isAddress ? '' : `Press Enter to show ${listWords(words)}.`),
    question: isAddress && `Who may use ${change.ip}?`,
    /** True until it is known whether only one subscriber may use the address, whose pane then opens. */
    isPending: isAddress && (users.isLoading || users.isPlaceholderData),
    offers: offers.map((offer) => ({
      key: offer.label,
      text: offer.label,
      onPick: () => apply(offer.change),
    })),
    apply: () => {
      if (sentence === null) show();
    },
  };
}

const noTerms = { terms: [], username: undefined, email: undefined };

/**
 * Choices instead of typing on. The arrow keys move between the entries and the find box, and Tab skips them: ten more
 * steps would be in everybody's way.
 */
function OfferList(props: {
  label: string;
  offers: readonly { key: string; text: string; note?: string; onPick: () => void }[];
  ref: RefObject<HTMLUListElement | null>;
}) {
  const { label, offers, ref } = props;
  const { searchRef } = useApp();
  if (offers.length === 0) return null;
  return (
    <ul ref={ref} className={styles.offers} aria-label={label}>
      {offers.map(({ key, text, note, onPick }) => (
        <li key={key}>
          <Offer
            tabIndex={-1}
            onClick={onPick}
            onKeyDown={(event) => pressInOffers(event, searchRef.current)}
          >
            {text} {note !== undefined && <small className="muted">{note}</small>}
          </Offer>
        </li>
      ))}
    </ul>
  );
}

/** @returns whether there is such an entry */
function focusEntry(item: Element | null | undefined): boolean {
  const entry = item?.querySelector('button');
  entry?.focus();
  return Boolean(entry);
}

function pressInOffers(event: KeyboardEvent<HTMLButtonElement>, box: HTMLInputElement | null): void {
  const { key, currentTarget } = event;
  const item = currentTarget.parentElement;
  // What is typed goes on in the box, and is no shortcut of the page.
  const isTyped = key.length === 1 && key !== ' ' && !event.ctrlKey && !event.metaKey && !event.altKey;
  if (isTyped) event.stopPropagation();
  else if (['ArrowDown', 'ArrowUp', 'Escape'].includes(key)) event.preventDefault();
  if (key === 'ArrowDown') focusEntry(item?.nextElementSibling);
  else if (key === 'ArrowUp' && focusEntry(item?.previousElementSibling)) return;
  else if (isTyped || key === 'ArrowUp' || key === 'Escape') box?.focus();
}

function focusRow(id: number | undefined): void {
  if (id !== undefined) rowLink(id)?.focus();
}
