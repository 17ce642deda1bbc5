import { useQueryClient } from '@tanstack/react-query';
import { useId, useState, type ReactNode } from 'react';
import type { Reply } from '../../contract/http/client.ts';
import type { SubscriberWithLists } from '../../contract/service/subscriber.ts';
import { enteredFields, SubscriberInput, fieldLabels } from '../../contract/service/subscriber-input.ts';
import { subscriberQuery } from '../api/queries.ts';
import { useSession } from '../api/session.ts';
import { describeConflict, isOwnChange } from '../api/action-errors.ts';
import { isConflict } from '../api/errors.ts';
import { ConfirmDialog } from '../components/dialog.tsx';
import { useIsMounted } from '../components/use-is-mounted.ts';
import { useBundles } from '../subscriber/bundles.ts';
import { ChangedWords, isLong } from '../subscriber/changed-fields.tsx';
import { mergeLines } from '../subscriber/text-diff.ts';
import { fieldText, listWords, inputOf, mergeLists } from '../subscriber/subscriber-fields.ts';
import styles from './conflict-dialog.module.css';

type Saved = Reply<SubscriberWithLists>;

/** The values that the form began with. */
interface Opened {
  id: number;
  name: string;
  values: SubscriberInput;
  etag: string | null;
}

type Save = (body: SubscriberInput, etag: string | null) => Promise<Saved>;

interface Conflict {
  name: string;
  /** A text about who changed the subscriber, and when; without a full stop. */
  cause: string;
  /** The user has changed it elsewhere, for example in another tab. */
  isOwn: boolean;
  versions: Versions;
  /** @param merged null if the user goes back to the form */
  answer: (merged: SubscriberInput | null) => void;
}

/** Saves. If someone else saved in the meantime, merges both versions as the user decides, and tries again. */
export function useMerge() {
  const cache = useQueryClient();
  const user = useSession()?.staff;
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const isMounted = useIsMounted();

  const ask = (question: Omit<Conflict, 'answer'>) =>
    new Promise<SubscriberInput | null>((resolve) => {
      const answer: Conflict['answer'] = (merged) => {
        setConflict(null);
        resolve(merged);
      };
      setConflict({ ...question, answer });
    });

  /** @throws what `save` threw; also the refusal for a conflict, if the user goes back to the form */
  const saveMerged = async (start: Opened, mine: SubscriberInput, save: Save): Promise<Saved> => {
    try {
      return await save(mine, start.etag);
    } catch (error) {
      if (!isConflict(error)) throw error;
      const now = await cache.fetchQuery({ ...subscriberQuery(start.id), staleTime: 0 });
      const theirs = inputOf(now.data);
      if (!theirs) throw error;
      const versions = { base: start.values, theirs, mine };
      const differences = differencesOf(versions);
      // It may have been this change itself, whose answer was lost.
      if (differences.length === 0) return now;
      // A user who has left the form can be asked nothing, and nothing more is sent.
      if (!isMounted.current) throw error;
      const cause = describeConflict(error, user);
      // Where something else was changed, such as the access token, there is nothing to decide.
      const merged = differences.every(({ changedBy }) => changedBy === 'mine')
        ? mine
        : await ask({ name: start.name, cause, isOwn: isOwnChange(error, user), versions });
      if (!merged) throw error;
      return saveMerged({ ...start, values: theirs, etag: now.etag }, merged, save);
    }
  };
  const dialog = conflict && <ConflictDialog key={JSON.stringify(conflict.versions)} {...conflict} />;
  return { saveMerged, dialog };
}

/** Shows the fields that differ. A field that only one person changed keeps the change; for the others, the user chooses. */
function ConflictDialog(props: Conflict) {
  const { versions } = props;
  const words = props.isOwn ? ownWords : theirWords;
  const [choices, setChoices] = useState<Choices>({});
  const differences = differencesOf(versions);
  const open = differences.filter(({ name, clash }) => clash && !choices[name]);
  const reason =
    open.length > 0
      ? `Choose a value for ${listWords(open.map(({ name }) => fieldLabels[name]))}.`
      : undefined;
  return (
    <ConfirmDialog
      title={words.title(props.name)}
      cancel="Keep editing"
      action="Save merged version"
      reason={reason}
      onSubmit={() => props.answer(merge(versions, choices))}
      onClose={() => props.answer(null)}
    >
      <p>
        Your changes aren’t saved yet: {props.cause}. {words.rule}
      </p>
      {differences.map((difference) => (
        <DifferenceCard
          key={difference.name}
          difference={difference}
          versions={versions}
          words={words}
          chosen={choices[difference.name]}
          onChoose={(side) => setChoices({ ...choices, [difference.name]: side })}
        />
      ))}
    </ConfirmDialog>
  );
}

/** The texts of the dialog; who has changed a field, and the names of the versions. */
type Words = typeof theirWords;

const theirWords = {
  title: (name: string) => `Someone else changed ${name}`,
  rule: 'What only one of you changed is kept. Where you both changed the same, choose what to keep.',
  headings: {
    theirs: 'They changed it',
    mine: 'You changed it; not saved yet',
    both: 'You both changed it',
  },
  sides: { theirs: 'Theirs', mine: 'Yours', both: 'Both' },
};

const ownWords: Words = {
  title: (name) => `You also changed ${name} elsewhere`,
  rule: 'What you changed only here or only elsewhere is kept. Where you changed the same, choose what to keep.',
  headings: {
    theirs: 'You changed it elsewhere',
    mine: 'You changed it here; not saved yet',
    both: 'You changed it here and elsewhere',
  },
  sides: { theirs: 'Elsewhere', mine: 'Here', both: 'Both' },
};

function DifferenceCard(props: {
  difference: EditDifference;
  versions: Versions;
  words: Words;
  chosen: Side | undefined;
  onChoose: (side: Side) => void;
}) {
  const { versions, words, chosen, onChoose } = props;
  const { name, changedBy, clash } = props.difference;
  const group = useId();
  const bundles = useBundles();
  const textOf = (value: SubscriberInput[FieldName]) => (value === '' ? '' : fieldText(name, value, bundles));
  const before = textOf(versions.base[name]);
  const sides = sidesOf(props.difference, versions).map((side) => ({
    side,
    title: words.sides[side],
    text: textOf(valueOf(versions, name, side)),
  }));
  const isNote = name === 'note';
  const isMarked = isNote || [before, ...sides.map(({ text }) => text)].some(isLong);
  return (
    <fieldset className={`card stack ${styles.difference}`} data-open={(clash && !chosen) || undefined}>
      <legend>{fieldLabels[name]}</legend>
      <p className="aside">
        {words.headings[changedBy]}.{changedBy === 'both' && !clash && ' Both changes are kept.'}
        {isNote && changedBy === 'both' && sides.length === 2 && ' Both together would be too long.'}
      </p>
      {!isMarked && <Value title="Before">{before}</Value>}
      {sides.map(({ side, title, text }) => {
        const shown = isMarked ? <ChangedWords before={before} after={text} around={40} /> : text || 'empty';
        const choice = (
          <label className={`choice ${styles.side}`}>
            <input
              type="radio"
              name={group}
              aria-describedby={`${group} ${side}`}
              checked={chosen === side}
              onChange={() => onChoose(side)}
            />
            {title}
          </label>
        );
        return (
          <Value key={side} id={`${group} ${side}`} title={clash ? choice : title}>
            {shown}
          </Value>
        );
      })}
    </fieldset>
  );
}

function sidesOf({ name, changedBy }: EditDifference, versions: Versions): Side[] {
  if (changedBy !== 'both') return [changedBy];
  return allowsBoth(name, versions) ? ['theirs', 'mine', 'both'] : ['theirs', 'mine'];
}

function Value({ title, id, children }: { title: ReactNode; id?: string; children: ReactNode }) {
  return (
    <div className={styles.value}>
      <div className="muted">{title}</div>{' '}
      <div id={id} className="multiline">
        {children}
      </div>
    </div>
  );
}

type FieldName = keyof SubscriberInput;

/** The person whose value is saved; `both` is for lists and notes, which can have what each person added. */
type Side = 'theirs' | 'mine' | 'both';

/** The choices of the user for the fields that both changed. */
type Choices = Partial<Record<FieldName, Side>>;

/** Three versions of a record: when the form was opened, as someone else saved it, and in the form. */
export interface Versions {
  base: SubscriberInput;
  theirs: SubscriberInput;
  mine: SubscriberInput;
}

/** A field that differs, and who changed it. */
interface EditDifference {
  name: FieldName;
  changedBy: 'theirs' | 'mine' | 'both';
  /** Only one of the two changes can be kept, unless the user decides otherwise. */
  clash: boolean;
}

export function differencesOf(versions: Versions): EditDifference[] {
  const { base, theirs, mine } = versions;
  return enteredFields.flatMap((name): EditDifference[] => {
    if (isSame(theirs[name], mine[name])) return [];
    if (isSame(base[name], mine[name])) return [{ name, changedBy: 'theirs', clash: false }];
    if (isSame(base[name], theirs[name])) return [{ name, changedBy: 'mine', clash: false }];
    const clash = name !== 'note' || !allowsBoth(name, versions) || mergeNotes(versions).clash;
    return [{ name, changedBy: 'both', clash }];
  });
}

const mergeNotes = ({ base, theirs, mine }: Versions) => mergeLines(base.note, theirs.note, mine.note);

/** True if a field may have what both added: a list or a note that does not become too long. */
const allowsBoth = (name: FieldName, versions: Versions) =>
  (name === 'note' || Array.isArray(versions.mine[name])) &&
  SubscriberInput.shape[name].safeParse(valueOf(versions, name, 'both')).success;

/** The record with both people's changes. For a field that both changed: the chosen side, else theirs. */
export function merge(versions: Versions, choices: Choices): SubscriberInput {
  const sides = differencesOf(versions).map(({ name, changedBy, clash }) => {
    const side = clash ? (choices[name] ?? 'theirs') : changedBy;
    return [name, valueOf(versions, name, side)];
  });
  return { ...versions.theirs, ...(Object.fromEntries(sides) as Partial<SubscriberInput>) };
}

export function valueOf<N extends FieldName>(versions: Versions, name: N, side: Side): SubscriberInput[N] {
  const { base, theirs, mine } = versions;
  if (side !== 'both') return side === 'mine' ? mine[name] : theirs[name];
  if (name === 'note') return mergeNotes(versions).text as SubscriberInput[N];
  // Only notes and lists can have both, and all elements come from lists of this type.
  const [before = [], others = [], own = []] = [base[name], theirs[name], mine[name]] as unknown[][];
  return mergeLists(before, others, own) as SubscriberInput[N];
}

/** The order of a list's values has no meaning. */
export function isSame(a: SubscriberInput[FieldName], b: SubscriberInput[FieldName]): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return a === b;
  const others: unknown[] = b;
  return a.length === b.length && a.every((value) => others.includes(value));
}
