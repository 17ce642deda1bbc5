import type { SubscriberInput } from '../../../contract/service/subscriber-input.ts';
import { exactTime } from '../../components/exact-time.ts';
import { countryName } from './countries.ts';

type Field = keyof SubscriberInput;

/** A field's value in a line of text, as a person would read it out. */
export function fieldText<N extends Field>(name: N, value: SubscriberInput[N]): string {
  if (Array.isArray(value))
    return value.map((one) => (name === 'countries' ? countryName(String(one)) : one)).join(', ') || 'none';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (name === 'expiresAt') {
    const at = Date.parse(String(value));
    return exactTime(at);
  }
  return String(value) || 'empty';
}
