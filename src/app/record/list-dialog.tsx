import { useEffect, useRef, useState } from 'react';
import { fieldLabels } from '../../contract/service/subscriber-input.ts';
import type { ListName } from '../../contract/service/limits.ts';
import { describeConflict } from '../api/action-errors.ts';
import { isConflict } from '../api/errors.ts';
import { useSession } from '../api/session.ts';
import { Field } from '../components/field.tsx';
import { DiscardDialog, LeaveGuard } from '../components/leave-guard.tsx';
import { Notice } from '../components/notice.tsx';
import { ChangeDialog } from '../subscriber/change-dialog.tsx';
import { ListChips } from '../subscriber/list-chips.tsx';
import { listHints, type Value } from '../subscriber/list-values.ts';
import { mergeLists } from '../subscriber/subscriber-fields.ts';
import { useSavedFields, type Version } from './edit-record.tsx';

/** Adds and takes entries of one list of a subscriber, as the form does. */
export function ListDialog(props: Version & { list: ListName; onClose: () => void }) {
  const { list, onClose } = props;
  // It changes the list that was on the screen: if somebody else saves meanwhile, this is refused.
  const [shown, setShown] = useState<Version>(props);
  const [values, setValues] = useState<readonly Value[]>(shown.subscriber[list] ?? []);
  const [isMerged, setMerged] = useState(false);
  const [pending, setPending] = useState('');
  const user = useSession()?.staff;
  const input = useRef<HTMLInputElement>(null);
  // Or a button that removes an entry would have it.
  useEffect(() => input.current?.focus(), []);
  const label = fieldLabels[list];
  const { username } = shown.subscriber;
  const changed = `${label} of ${username} were changed`;
  const saving = useSavedFields(shown, { done: changed, text: () => `${changed}.`, onDone: onClose });
  if (isConflict(saving.error) && props.etag !== shown.etag) {
    setShown(props);
    setValues(mergeLists<Value>(shown.subscriber[list] ?? [], props.subscriber[list] ?? [], values));
    setMerged(true);
  }
  const merged = isMerged && isConflict(saving.error) && saving.error;
  const isSame = values.join('\n') === shown.subscriber[list]?.join('\n');
  const [isLeaving, setLeaving] = useState(false);
  const isUnsaved = !(isSame && pending === '') && !saving.isBusy;
  const missing = pending === '' ? undefined : `Press Enter to add “${pending}”, or remove it.`;
  return (
    <>
      {/* Before the other: of two dialogs that close at once, the last returns the focus. */}
      {isLeaving && <DiscardDialog onKeep={() => setLeaving(false)} onDiscard={onClose} />}
      <ChangeDialog
        title={`${label} of ${username}`}
        action="Save changes"
        busyAction="Saving…"
        variant="primary"
        acting={merged ? { ...saving, failure: null } : saving}
        notice={
          merged && (
            <Notice tone="warn">
              Nothing was saved: {describeConflict(merged, user)}. The list has both changes now: check it,
              then save again.
            </Notice>
          )
        }
        reason={missing ?? (isSame ? 'Nothing has changed.' : undefined)}
        onConfirm={(reason) => void saving.save({ [list]: values }, reason)}
        onClose={() => (isUnsaved ? setLeaving(true) : onClose())}
      >
        {/* What is added while it is saved would be lost when the dialog closes. */}
        <fieldset disabled={saving.isBusy}>
          <Field label={label} hint={listHints[list]}>
            {(parts) => (
              <ListChips
                name={list}
                parts={parts}
                inputRef={(element) => {
                  input.current = element;
                }}
                values={values}
                onChange={setValues}
                onPendingText={setPending}
              />
            )}
          </Field>
        </fieldset>
      </ChangeDialog>
      <LeaveGuard isUnsaved={() => isUnsaved} />
    </>
  );
}
