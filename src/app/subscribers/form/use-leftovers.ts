import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { listNames, type ListName } from '../../../contract/service/subscriber.ts';
import type { SubscriberInput } from '../../../contract/service/subscriber-input.ts';

/** What stands in the boxes of the lists and was refused as a value: saving must not drop it unseen. */
export function useLeftovers(form: UseFormReturn<SubscriberInput>) {
  const [texts, setTexts] = useState<Partial<Record<ListName, string>>>({});
  const left = listNames.filter((name) => texts[name]);
  return {
    any: left.length > 0,
    note: (name: ListName, text: string) => {
      setTexts((before) => ({ ...before, [name]: text }));
      if (text === '' && form.getFieldState(name).error?.type === 'leftover') form.clearErrors(name);
    },
    /** Puts an error on each list that has something left over; answers whether there was one. */
    refuse: () => {
      left.forEach((name, place) =>
        form.setError(
          name,
          { type: 'leftover', message: `“${texts[name]}” is not added. Correct it or take it out.` },
          { shouldFocus: place === 0 },
        ),
      );
      return left.length > 0;
    },
  };
}
