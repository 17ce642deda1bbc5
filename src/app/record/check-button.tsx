import { useState } from 'react';
import { listNames } from '../../contract/service/limits.ts';
import type { SubscriberDetail } from '../../contract/service/subscriber.ts';
import { useCommands } from '../components/app-context.ts';
import { Button } from '../components/button.tsx';
import { useLazyModule } from '../components/use-lazy-module.ts';
import { listsMissing } from '../subscriber/subscriber-fields.ts';
import { useEditDisabledReason, type ShownRecord } from './edit-record.tsx';

/** The button that opens “Check a connection”, whose code is loaded then. */
export function CheckConnection(props: ShownRecord) {
  const { subscriber, waiting } = props;
  const [open, setOpen] = useState(false);
  const part = useLazyModule(
    () => import('./connection/check-dialog.tsx'),
    open,
    () => setOpen(false),
  );
  const disabledReason = useEditDisabledReason(props);
  // A list that is missing cannot be checked either.
  const isWhole = listNames.every((name) => subscriber[name] !== undefined);
  const reason = waiting ?? (isWhole ? undefined : listsMissing);
  const run = () => setOpen(true);
  useCommands([reason === undefined && { name: 'Check a connection…', about: subscriber.username, run }]);
  return (
    <>
      <Button variant="quiet" small reason={reason} onClick={run}>
        Check a connection…
      </Button>
      {open && isWhole && part && (
        <part.CheckDialog
          {...props}
          // It has all lists.
          subscriber={subscriber as SubscriberDetail}
          reason={disabledReason}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
