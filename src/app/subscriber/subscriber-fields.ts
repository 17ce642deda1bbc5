import type { RecordPart } from '../../contract/bff/journal.ts';
import { listNames, type ListName } from '../../contract/service/limits.ts';
import type { SubscriberWithLists } from '../../contract/service/subscriber.ts';
import { fieldLabels, type SubscriberInput } from '../../contract/service/subscriber-input.ts';
import type { Bundle } from '../../contract/bff/bundle.ts';
import { exactTime } from '../components/exact-time.tsx';
import { locale } from '../components/locale.ts';
import { dayOf, localTime } from '../components/format.ts';
import { bundleText } from './bundles.ts';
import { countryName } from './countries.ts';

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

/** The value of a field on one line. @param bundles those with a name */
export function fieldText<N extends keyof SubscriberInput>(
  name: N,
  value: SubscriberInput[N],
  bundles: readonly Bundle[] = [],
): string {
  if (Array.isArray(value)) return value.map((one) => valueText(name, one, bundles)).join(', ') || 'none';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (name === 'expiresAt') return exactTime(Date.parse(String(value)));
  return String(value) || 'empty';
}

/** A value of a list. */
export function valueText(
  list: keyof SubscriberInput,
  value: string | number,
  bundles: readonly Bundle[],
): string {
  if (list === 'bundles') return bundleText(Number(value), bundles);
  return list === 'countries' ? countryName(String(value)) : String(value);
}

const conjunction = new Intl.ListFormat(locale, { type: 'conjunction' });

/** "countries, IP addresses and user agents". */
export const listWords = (words: readonly string[]): string => conjunction.format(words);

/** The change of one field in a journal entry: its value before and after, null if there was none. */
export interface Difference {
  name: PartName;
  before: string | null;
  after: string | null;
}

/** The fields that differ, in the order of the form. */
export function differencesIn(
  before: RecordPart,
  after: RecordPart,
  bundles: readonly Bundle[] = [],
): Difference[] {
  return partNames
    .filter((name) => before[name] !== undefined || after[name] !== undefined)
    .map((name) => {
      const whole = { before: partText(name, before, bundles), after: partText(name, after, bundles) };
      if (name !== 'expiresAt') return { name, ...whole };
      const days = { before: dayIn(before), after: dayIn(after) };
      // The time of day matters only if the day is the same.
      return { name, ...(days.before === days.after ? whole : days) };
    });
}

/** The value of a field in a part of a record, on one line; null if the part does not have it. */
export function partText(name: PartName, part: RecordPart, bundles: readonly Bundle[] = []): string | null {
  const value = part[name];
  if (value === undefined) return null;
  if (name === 'expiresAt') return localTime(Date.parse(String(value)));
  // A field that people enter has the same type in both shapes.
  return isFieldName(name) ? fieldText(name, value as never, bundles) : String(value);
}

const dayIn = ({ expiresAt }: RecordPart) => (expiresAt === undefined ? null : dayOf(Date.parse(expiresAt)));
