import { useEffect, useRef } from 'react';
import { useApp } from '../components/app-context.ts';
import { Button } from '../components/button.tsx';
import { grouped } from '../components/count.ts';
import { useDownload, type Download } from './whole-file.ts';

/** A button that loads something and saves it as a file; while it does, it is a button that stops it. */
export function SaveButton(props: {
  label: string;
  /** Why there is nothing to save. */
  reason?: string | undefined;
  /** @returns how many rows were saved */
  save: (download: Download) => Promise<number>;
  /** Says that they were. */
  describe: (rows: number) => string;
}) {
  const { toasts } = useApp();
  const { progress, start, stop } = useDownload({
    onDone: (rows) => toasts.show('ok', props.describe(rows)),
    onFailure: (sentences) => toasts.show('bad', sentences),
  });
  const button = useRef<HTMLButtonElement>(null);
  const wasRunning = useRef(false);
  // The Stop button disappears at the end, and would take the focus with it.
  useEffect(() => {
    if (wasRunning.current && !progress && document.activeElement === document.body) button.current?.focus();
    wasRunning.current = progress !== null;
  }, [progress]);
  return (
    <>
      <span role="status">
        {progress &&
          (progress.of === null ? 'Saving…' : `${grouped(progress.rows)} of ${grouped(progress.of)}`)}
      </span>
      {progress ? (
        <Button key="stop" busy={false} confirms onClick={stop}>
          Stop
        </Button>
      ) : (
        <Button key="save" ref={button} reason={props.reason} onClick={() => void start(props.save)}>
          {props.label}
        </Button>
      )}
    </>
  );
}
