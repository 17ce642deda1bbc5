import { SubscriberInput } from '../../../../contract/service/subscriber-input.ts';

export type FieldName = keyof SubscriberInput;

/** Whose value is saved; `both` is for lists, which can hold what each of the two added. */
export type Side = 'theirs' | 'mine' | 'both';

/** What a person decided for the fields that both changed. */
export type Choices = Partial<Record<FieldName, Side>>;

/** Three versions of a record: as it was when the form was opened, as somebody else saved it, and as it is in the form. */
export interface Versions {
  base: SubscriberInput;
  theirs: SubscriberInput;
  mine: SubscriberInput;
}

/** A field in which the two differ, and who changed it; where both did, somebody has to choose. */
export interface Difference {
  name: FieldName;
  changedBy: 'theirs' | 'mine' | 'both';
}

const names = Object.keys(SubscriberInput.shape) as FieldName[];

export function differencesOf({ base, theirs, mine }: Versions): Difference[] {
  return names.flatMap((name): Difference[] => {
    if (isSame(theirs[name], mine[name])) return [];
    if (isSame(base[name], mine[name])) return [{ name, changedBy: 'theirs' }];
    return [{ name, changedBy: isSame(base[name], theirs[name]) ? 'mine' : 'both' }];
  });
}

/** The record that keeps every change of the two; where both changed the same field, what was chosen, else theirs. */
export function merge(versions: Versions, choices: Choices): SubscriberInput {
  const sides = differencesOf(versions).map(({ name, changedBy }) => {
    const side = changedBy === 'both' ? (choices[name] ?? 'theirs') : changedBy;
    return [name, valueOf(versions, name, side)];
  });
  return { ...versions.theirs, ...(Object.fromEntries(sides) as Partial<SubscriberInput>) };
}

export function valueOf<N extends FieldName>(
  { base, theirs, mine }: Versions,
  name: N,
  side: Side,
): SubscriberInput[N] {
  if (side !== 'both') return side === 'mine' ? mine[name] : theirs[name];
  const lists = [base[name], theirs[name], mine[name]];
  if (!lists.every((list) => Array.isArray(list))) return theirs[name];
  const [before = [], others = [], own = []] = lists as unknown[][];
  const removed = before.filter((value) => !own.includes(value));
  const kept = others.filter((value) => !removed.includes(value));
  const added = own.filter((value) => !before.includes(value) && !kept.includes(value));
  // A list made of the elements of three lists of one type.
  return [...kept, ...added] as SubscriberInput[N];
}

/** The order within a list says nothing. */
function isSame(a: SubscriberInput[FieldName], b: SubscriberInput[FieldName]): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return a === b;
  const others: unknown[] = b;
  return a.length === b.length && a.every((value) => others.includes(value));
}
