import { useState } from 'react';
import { fieldLabels } from '../../contract/service/field-labels.ts';
import { limits, type ListName } from '../../contract/service/limits.ts';
import { Button } from '../components/button.tsx';
import { counted } from '../components/count.ts';
import { useLazyModule } from '../components/use-lazy-module.ts';
import { useEditDisabledReason, useSavedFields, type ShownRecord } from './edit-record.tsx';

/** One connection fewer, and one more. */
export function ConnectionButtons(props: ShownRecord) {
  const { username, maxConnections } = props.subscriber;
  const disabledReason = useEditDisabledReason(props);
  const saving = useSavedFields(
    props,
    'the connection limit was changed',
    ({ maxConnections: most }) => `${username} can now watch on ${counted(most, 'device')} at once.`,
  );
  const step = (by: number, sign: string, name: string) => {
    const next = maxConnections + by;
    const isPossible = next >= 1 && next <= limits.connections;
    return (
      <Button
        variant="quiet"
        small
        square
        aria-label={name}
        reason={disabledReason ?? (isPossible ? undefined : `From 1 to ${limits.connections}.`)}
        busy={saving.isBusy}
        onClick={() => void saving.save({ maxConnections: next })}
      >
        {sign}
      </Button>
    );
  };
  return (
    <>
      {step(-1, '−', 'One connection fewer')}
      {step(1, '+', 'One connection more')}
    </>
  );
}

/** The button that opens one of the lists to add and take entries. The code for it is loaded then. */
export function ChangeList(props: ShownRecord & { list: ListName }) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  const part = useLazyModule(() => import('./list-dialog.tsx'), open, close);
  const reason = useEditDisabledReason(props);
  return (
    <>
      <Button
        variant="quiet"
        small
        aria-label={`Edit ${fieldLabels[props.list]}`}
        reason={reason}
        onClick={() => setOpen(true)}
      >
        Edit
      </Button>
      {open && part && <part.ListDialog {...props} onClose={close} />}
    </>
  );
}
