import { useEffect, useState } from 'react';
import { ApiError } from '../../contract/http/client.ts';
import { usePermission } from '../api/session.ts';
import { useApp } from '../components/app-context.ts';
import { Button } from '../components/button.tsx';
import { counted } from '../components/format.ts';
import { useTransfer } from '../api/files.tsx';
import { Field } from '../components/field.tsx';
import { Notice } from '../components/notice.tsx';
import { Page } from '../components/page.tsx';
import { ImportForm } from './import-form.tsx';
import { sendFile, type ReadFile } from './send-file.ts';
import jobStyles from './jobs.module.css';
import styles from './import-page.module.css';

/** Choosing a file, which the server reads, and saying what is done with it. Then the job's page shows what it would change. */
export function ImportPage() {
  const { allowed, reason } = usePermission('runJobs');
  const { queryClient } = useApp();
  const [file, setFile] = useState<ReadFile | null>(null);
  const { progress, acting, start, stop } = useTransfer<ReadFile>({ onDone: setFile, failed: '' });
  const choose = (files: Iterable<File>) => {
    const chosen = [...files];
    if (!allowed || chosen.length === 0 || progress) return;
    setFile(null);
    start(async (transfer) => {
      const [only] = chosen;
      if (!only || chosen.length > 1)
        throw new ApiError('other', `You dropped ${counted(chosen.length, 'file')}. Drop one at a time.`);
      return sendFile(queryClient, only, transfer);
    });
  };
  useDroppedFiles(choose);
  return (
    <Page title="Import subscribers" barred={reason}>
      {allowed && (
        <>
          <div className={`card stack ${jobStyles.panel}`}>
            <Field
              label="File"
              hint="CSV, whose first row names the columns, or JSON lines, as in an export. In UTF-8 or UTF-16, at most 50 MB and 100,000 rows. You can also drop the file on this page."
            >
              {(parts) => (
                <input
                  {...parts}
                  type="file"
                  accept=".csv,.tsv,.txt,.jsonl,.ndjson,text/csv,text/tab-separated-values,text/plain,application/jsonl,application/x-ndjson"
                  className={styles.narrow}
                  disabled={progress !== null}
                  onChange={(event) => choose(event.target.files ?? [])}
                  // The same file can be chosen again after it was corrected.
                  onClick={(event) => {
                    event.currentTarget.value = '';
                  }}
                />
              )}
            </Field>
            <p role="status">
              {progress && 'Reading the file…'}
              {file && (
                <>
                  <strong>{file.name}</strong>: {counted(file.rows, 'row')},{' '}
                  {counted(file.headings.length, 'column')}
                </>
              )}
            </p>
            {progress && (
              <div className="row">
                <progress aria-label="File read" value={progress.done} max={progress.of ?? undefined} />
                <Button onClick={stop}>Cancel</Button>
              </div>
            )}
            <div role="alert">{acting.failure && <Notice tone="bad">{acting.failure}</Notice>}</div>
          </div>
          {file && <ImportForm key={file.id} file={file} />}
        </>
      )}
    </Page>
  );
}

/**
 * Takes files that are dropped anywhere in the window: beside what takes them, a browser would open them and leave the page.
 */
function useDroppedFiles(onDrop: (files: Iterable<File>) => void): void {
  useEffect(() => {
    const listening = new AbortController();
    const take = (event: DragEvent) => {
      // A text can still be dropped into a field.
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      if (event.type === 'drop') onDrop(event.dataTransfer.files);
    };
    for (const type of ['dragover', 'drop'] as const)
      document.addEventListener(type, take, { signal: listening.signal });
    return () => listening.abort();
  }, [onDrop]);
}
