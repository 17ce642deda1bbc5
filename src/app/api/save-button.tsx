import { useApp } from '../components/app-context.ts';
import { Button } from '../components/button.tsx';
import { grouped } from '../components/count.ts';
import { useTransfer, type Transfer } from './whole-file.ts';

/** A button that loads something and saves it as a file; while it does, it is a button that stops it. */
export function SaveButton(props: {
  label: string;
  /** Why there is nothing to save. */
  reason?: string | undefined;
  /** @returns how many rows were saved */
  save: (download: Transfer) => Promise<number>;
  /** Says that they were. */
  describe: (rows: number) => string;
}) {
  const { toasts } = useApp();
  const { progress, start, stop } = useTransfer<number>({
    onDone: (rows) => toasts.show('ok', props.describe(rows)),
    onFailure: (sentences) => toasts.show('bad', sentences),
  });
  return (
    <>
      <span role="status">
        {progress &&
          (progress.of === null ? 'Saving…' : `${grouped(progress.done)} of ${grouped(progress.of)}`)}
      </span>
      {/* Never busy, as it can be stopped, but not by the second of two quick presses. */}
      <Button
        busy={false}
        confirms={progress !== null}
        reason={progress ? undefined : props.reason}
        onClick={progress ? stop : () => start(props.save)}
      >
        {progress ? 'Stop' : props.label}
      </Button>
    </>
  );
}
