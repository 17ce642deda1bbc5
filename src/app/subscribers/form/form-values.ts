import type { Entered } from '../../../contract/bff/draft.ts';
import { listNames, type SubscriberWithLists } from '../../../contract/service/subscriber.ts';
import { createDefaults, SubscriberInput } from '../../../contract/service/subscriber-input.ts';

/** An empty form: the contract's defaults, and nothing where a person has to decide. */
export const emptyForm: SubscriberInput = { ...createDefaults, username: '', email: '', expiresAt: '' };

const names = Object.keys(SubscriberInput.shape);

/**
 * What of a record is entered by people. Null where the service left a list out: saving without it could empty it.
 */
export function toFormValues(record: SubscriberWithLists): SubscriberInput | null {
  if (listNames.some((name) => record[name] === undefined)) return null;
  const entered = Object.entries(record).filter(([name]) => names.includes(name));
  // The record has every field of the input, now that its lists are known to be there.
  return Object.fromEntries(entered) as SubscriberInput;
}

/** A draft as the form holds it, in which a box without a number is no number. */
export const asInput = (entered: Entered): SubscriberInput => ({
  ...entered,
  maxConnections: entered.maxConnections ?? Number.NaN,
});
