import { useEffect, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { Draft, KeptDraft } from '../../../contract/bff/draft.ts';
import type { SubscriberInput } from '../../../contract/service/subscriber-input.ts';
import { dropDraft, keepDraft, onKeepingAll } from '../../api/drafts.ts';
import { isFieldName } from '../fields/field-labels.ts';
import { asInput } from './form-values.ts';

/** Long enough that a word is one request, short enough that little is lost by a crash; in ms. */
const pause = 400;

/** Where a form is kept while it is not saved, and what was kept of it before. */
export interface FormDraft {
  /** The id of the subscriber, or `new`. */
  id: string;
  base: Draft['base'];
  /** Null where there is nothing, or it is not known yet. */
  kept: KeptDraft;
}

/** Keeps what is typed at the desk, so that it outlives a reload, a crash and the session, and begins with it again. */
export function useDraft(form: UseFormReturn<SubscriberInput>, { id, base, kept }: FormDraft) {
  const [restored, setRestored] = useState<KeptDraft>(null);
  const [keeper] = useState(() => createKeeper(id));

  useEffect(() => {
    if (!kept) return;
    const typed = form.getValues();
    const changed = Object.keys(form.formState.dirtyFields).filter(isFieldName);
    const newer = Object.fromEntries(changed.map((name) => [name, typed[name]]));
    // The defaults stay what is saved, so that what differs from it counts as not saved.
    form.reset({ ...asInput(kept.values), ...newer }, { keepDefaultValues: true });
    setRestored(kept);
  }, [form, kept]);

  useEffect(() => {
    const stop = form.subscribe({
      formState: { values: true, isDirty: true },
      callback: ({ values, isDirty }) => (isDirty ? keeper.note({ values, base }) : keeper.forget()),
    });
    const flush = () => void keeper.flush();
    const stopKeeping = onKeepingAll(keeper.flush);
    window.addEventListener('pagehide', flush);
    return () => {
      stop();
      stopKeeping();
      window.removeEventListener('pagehide', flush);
      // Nobody leaves a form without having said what becomes of it.
      keeper.stop();
    };
    // What the form began with; it stays the same for as long as there is the form.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);

  return {
    /** When what the form began with was typed; null where it began with what is saved. */
    restoredFrom: restored?.savedAt ?? null,
    /** It is saved, or not wanted any more. */
    forget: keeper.forget,
    /** Begins anew with what is saved. */
    startOver: () => {
      form.reset();
      setRestored(null);
      keeper.forget();
    },
  };
}

/** Sends one thing after the other, so that what is dropped does not come back. */
function createKeeper(id: string) {
  let pending: Draft | null = null;
  let isKept = true;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  const stop = () => {
    clearTimeout(timer);
    pending = null;
  };
  const flush = () => {
    const draft = pending;
    stop();
    if (draft) queue = queue.then(() => keepDraft(id, draft));
    return queue;
  };
  return {
    note: (draft: Draft) => {
      isKept = true;
      pending = draft;
      clearTimeout(timer);
      timer = setTimeout(flush, pause);
    },
    flush,
    stop,
    forget: () => {
      stop();
      if (isKept) queue = queue.then(() => dropDraft(id));
      isKept = false;
    },
  };
}
