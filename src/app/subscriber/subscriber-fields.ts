import type { RecordPart } from '../../contract/bff/journal.ts';
import { fieldLabels } from '../../contract/service/field-labels.ts';
import { listNames, type ListName } from '../../contract/service/limits.ts';
import type { SubscriberWithLists } from '../../contract/service/subscriber.ts';
import type { SubscriberInput } from '../../contract/service/subscriber-input.ts';

export const isFieldName = (name: string): name is keyof SubscriberInput => Object.hasOwn(fieldLabels, name);

/** The four lists in the order of the form. */
export const listsInOrder = [
  'bundles',
  'countries',
  'ipAddresses',
  'userAgents',
] as const satisfies readonly ListName[];

/** The reason why a subscriber cannot be edited whose lists are not all known. */
export const listsMissing =
  'You can’t edit this: the subscriber service didn’t send all the lists, and saving could empty them.';

/** The fields that people enter. Null if the service left out a list: saving without it could empty that list. */
export function inputOf(subscriber: SubscriberWithLists): SubscriberInput | null {
  if (listNames.some((name) => subscriber[name] === undefined)) return null;
  const entered = Object.entries(subscriber).filter(([name]) => isFieldName(name));
  // A subscriber with all its lists has every field of the input.
  return Object.fromEntries(entered) as SubscriberInput;
}

/** A list with what two people have added to it, and without what either has taken out. */
export function mergeLists<T>(before: readonly T[], theirs: readonly T[], mine: readonly T[]): T[] {
  const removed = before.filter((value) => !mine.includes(value));
  const remaining = theirs.filter((value) => !removed.includes(value));
  const added = mine.filter((value) => !before.includes(value) && !remaining.includes(value));
  return [...remaining, ...added];
}

export type PartName = keyof RecordPart;

/** The labels of everything that a change can affect. */
export const partLabels: Readonly<Record<PartName, string>> = {
  ...fieldLabels,
  status: 'Status',
  accessToken: 'Access token',
};

export const partNames = Object.keys(partLabels) as PartName[];
export const isPartName = (name: string): name is PartName => Object.hasOwn(partLabels, name);
