import { useEffect, useEffectEvent, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { Draft, Entered, StoredDraft } from '../../contract/bff/draft.ts';
import type { SubscriberInput } from '../../contract/service/subscriber-input.ts';
import { useApi } from '../api/api.ts';
import { createKeeper, onSavingDrafts } from '../subscriber/drafts.ts';
import { Button } from '../components/button.tsx';
import { RelativeTime } from '../components/exact-time.tsx';
import { Notice } from '../components/notice.tsx';
import { isFieldName } from '../subscriber/subscriber-fields.ts';

export interface FormDraft {
  /** The id of the subscriber, or `new`. */
  id: string;
  base: Draft['base'];
  /** The draft as it was saved before; null if there is none, undefined until that is known. */
  stored: StoredDraft | undefined;
  /** The reason beside the form, if it has one. */
  reason?: string;
  setReason?: (reason: string) => void;
}

/** Saves unsaved input as a draft on the server, so that it survives a reload, a crash and signing in again; restores it. */
export function useDraft(form: UseFormReturn<SubscriberInput>, draft: FormDraft) {
  const { id, base, stored, reason, setReason } = draft;
  /** The draft that was given up for the saved values. */
  const [discarded, setDiscarded] = useState<StoredDraft>(null);
  const api = useApi();
  const [keeper] = useState(() => createKeeper(api, id));

  const note = (values: SubscriberInput) => {
    // What is not read yet is not replaced.
    if (stored !== undefined) keeper.note({ values, base, ...(reason && { reason }) });
  };
  const keep = useEffectEvent((values: SubscriberInput, isDirty: boolean | undefined) => {
    if (isDirty) note(values);
    else if (stored !== undefined) keeper.forget();
  });
  useEffect(() => {
    if (reason !== undefined && form.formState.isDirty) keep(form.getValues(), true);
  }, [form, reason]);
  useEffect(() => {
    if (stored === null && form.formState.isDirty) keep(form.getValues(), true);
    if (!stored) return;
    const typed = form.getValues();
    const changed = Object.keys(form.formState.dirtyFields).filter(isFieldName);
    const newer = Object.fromEntries(changed.map((name) => [name, typed[name]]));
    // The defaults stay the saved values, so that the draft counts as unsaved changes.
    form.reset({ ...asInput(stored.values), ...newer }, { keepDefaultValues: true });
  }, [form, stored]);

  useEffect(() => {
    const stop = form.subscribe({
      formState: { values: true, isDirty: true },
      callback: ({ values, isDirty }) => keep(values, isDirty),
    });
    const stopKeeping = onSavingDrafts(api, keeper.flush);
    return () => {
      stop();
      stopKeeping();
      // The leave guard has asked what to do with the draft.
      keeper.stop();
    };
  }, [form, api, keeper]);

  return {
    /** The time at which the restored draft was saved; null if none was restored. */
    restoredFrom: stored && stored !== discarded ? stored.savedAt : null,
    /** Saves the draft again unless the form is saved at once: another tab may have deleted it. */
    keepWhileSaving: () => note(form.getValues()),
    /** Keeps the draft without the pause after typing: the form closes before it is known whether it was saved. */
    keepNow: () => void keeper.flush(),
    /** Deletes the draft, after saving or discarding. */
    forget: keeper.forget,
    /** Goes back to the saved values. */
    startOver: () => {
      form.reset();
      setReason?.('');
      setDiscarded(stored ?? null);
      keeper.forget();
    },
  };
}

/** A draft as values of the form, in which an empty number field is `NaN`. */
export const asInput = (entered: Entered): SubscriberInput => ({
  ...entered,
  maxConnections: entered.maxConnections ?? Number.NaN,
});

/** Says that unsaved input was restored, and offers to discard it. */
export function RestoredNotice({ savedAt, onDrop }: { savedAt: string; onDrop: () => void }) {
  return (
    <div role="status">
      <Notice tone="ok">
        <div className="row ends">
          <p>
            Unsaved changes restored, last edited <RelativeTime at={savedAt} />
          </p>
          <Button small onClick={onDrop}>
            Discard
          </Button>
        </div>
      </Notice>
    </div>
  );
}
