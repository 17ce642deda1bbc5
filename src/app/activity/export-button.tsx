import { useEffect, useRef, useState } from 'react';
import type { ActivityQuery } from '../../contract/bff/journal.ts';
import { Button } from '../components/button.tsx';
import { counted, grouped } from '../components/count.ts';
import { reasonOf } from '../components/failure.tsx';
import { saveFile } from '../components/save-file.ts';
import { localDay } from '../components/exact-time.ts';
import { useApp } from '../components/app-context.ts';
import { toCsv } from './csv.ts';
import { exportRows } from './export-rows.ts';
import { walkActivity } from './scan.ts';

/** Saves all that the filters match as a file; pressed again meanwhile, it stops. */
export function ExportButton({ query, empty }: { query: ActivityQuery; empty: boolean }) {
  const { toasts } = useApp();
  const [progress, setProgress] = useState<string | null>(null);
  const walk = useRef<AbortController | null>(null);
  useEffect(() => () => walk.current?.abort(), []);

  async function start(): Promise<void> {
    const { signal } = (walk.current = new AbortController());
    setProgress('Exporting…');
    try {
      const entries = await walkActivity(query, signal, (done, all) =>
        setProgress(`${grouped(done)} of ${grouped(all)}`),
      );
      saveFile(`activity-${localDay(Date.now())}.csv`, 'text/csv', toCsv(exportRows(entries)));
      toasts.show('ok', `${counted(entries.length, 'entry', 'entries')} exported.`);
    } catch (error) {
      if (!signal.aborted) toasts.show('bad', `Nothing was exported. ${reasonOf(error)}`);
    }
    setProgress(null);
  }

  return (
    <>
      <span role="status">{progress}</span>
      {progress === null ? (
        <Button
          key="export"
          reason={empty ? 'There is nothing to export.' : undefined}
          onClick={() => void start()}
        >
          Export CSV
        </Button>
      ) : (
        <Button key="stop" onClick={() => walk.current?.abort()}>
          Stop
        </Button>
      )}
    </>
  );
}
