import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { ApiError, type Reply } from '../../../../contract/http/client.ts';
import type { SubscriberWithLists } from '../../../../contract/service/subscriber.ts';
import type { SubscriberInput } from '../../../../contract/service/subscriber-input.ts';
import { subscriberQuery } from '../../../api/queries.ts';
import { changerOf } from '../../../changes/change-failure.tsx';
import { toFormValues } from '../form-values.ts';
import { ConflictDialog } from './conflict-dialog.tsx';
import { differencesOf, type Versions } from './merge.ts';

type Saved = Reply<SubscriberWithLists>;

/** What a form began with. */
interface Opened {
  id: number;
  name: string;
  values: SubscriberInput;
  etag: string | null;
}

type Save = (body: SubscriberInput, etag: string | null) => Promise<Saved>;

interface Question {
  name: string;
  /** Who saved meanwhile, as far as it is known. */
  changer: string;
  versions: Versions;
  /** @param merged null where the person goes back to the form */
  answer: (merged: SubscriberInput | null) => void;
}

/**
 * Saving that, where somebody else saved meanwhile, shows both versions and goes on with what is made of them, as often
 * as it takes.
 */
export function useMerge(): {
  /** @throws what `save` threw, the refusal for a conflict included where the person goes back */
  saveMerged: (start: Opened, mine: SubscriberInput, save: Save) => Promise<Saved>;
  dialog: ReactNode;
} {
  const cache = useQueryClient();
  const [question, setQuestion] = useState<Question | null>(null);

  const ask = (name: string, changer: string, versions: Versions) =>
    new Promise<SubscriberInput | null>((resolve) => {
      const answer: Question['answer'] = (merged) => {
        setQuestion(null);
        resolve(merged);
      };
      setQuestion({ name, changer, versions, answer });
    });

  const saveMerged = async (start: Opened, mine: SubscriberInput, save: Save): Promise<Saved> => {
    try {
      return await save(mine, start.etag);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'changed-meanwhile') throw error;
      const now = await cache.fetchQuery({ ...subscriberQuery(start.id), staleTime: 0 });
      const theirs = toFormValues(now.data);
      if (!theirs) throw error;
      const base = start.values;
      // Such as the own change, of which only the answer was lost.
      if (differencesOf({ base, theirs, mine }).length === 0) return now;
      const merged = await ask(start.name, changerOf(error), { base, theirs, mine });
      if (!merged) throw error;
      return saveMerged({ ...start, values: theirs, etag: now.etag }, merged, save);
    }
  };
  const dialog = question && <ConflictDialog key={JSON.stringify(question.versions)} {...question} />;
  return { saveMerged, dialog };
}
