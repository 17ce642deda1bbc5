import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../contract/http/client.ts';
import { usePermission } from '../api/session.ts';
import { useApp } from '../components/app-context.ts';
import { Button } from '../components/button.tsx';
import { counted } from '../components/count.ts';
import { describeError } from '../api/errors.ts';
import { Field } from '../components/field.tsx';
import { Notice } from '../components/notice.tsx';
import { Page } from '../components/page.tsx';
import { ImportForm } from './import-form.tsx';
import { sendFile } from './send-file.ts';
import jobStyles from './jobs.module.css';
import styles from './import-page.module.css';

/** Choosing a file, which the server reads, and saying what is done with it. Then the job's page shows what it would change. */
export function ImportPage() {
  const { allowed, reason } = usePermission('runJobs');
  const file = useSentFile();
  const choose = (files: Iterable<File>) => {
    const chosen = [...files];
    if (allowed && chosen.length > 0 && !file.isPending) file.send(chosen);
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
                  disabled={file.isPending}
                  onChange={(event) => choose(event.target.files ?? [])}
                  // The same file can be chosen again after it was corrected.
                  onClick={(event) => {
                    event.currentTarget.value = '';
                  }}
                />
              )}
            </Field>
            <p role="status">
              {file.isPending && 'Reading the file…'}
              {file.data && (
                <>
                  <strong>{file.data.name}</strong>: {counted(file.data.rows, 'row')},{' '}
                  {counted(file.data.headings.length, 'column')}
                </>
              )}
            </p>
            {file.isPending && (
              <div className="row">
                <progress aria-label="File read" value={file.share} />
                <Button onClick={file.cancel}>Cancel</Button>
              </div>
            )}
            <div role="alert">{file.error && <Notice tone="bad">{file.error}</Notice>}</div>
          </div>
          {file.data && <ImportForm key={file.data.id} file={file.data} />}
        </>
      )}
    </Page>
  );
}

/** Sends one file after the other. Leaving the page cancels it. */
function useSentFile() {
  const { queryClient } = useApp();
  const [share, setShare] = useState(0);
  const controller = useRef<AbortController>(null);
  useEffect(() => () => controller.current?.abort(), []);
  const { mutate, data, error, isPending } = useMutation({
    mutationKey: ['addImport'],
    mutationFn: async (files: readonly File[]) => {
      const [file] = files;
      if (!file || files.length > 1)
        throw new ApiError('other', `You dropped ${counted(files.length, 'file')}. Drop one at a time.`);
      const { signal } = (controller.current = new AbortController());
      setShare(0);
      return sendFile(queryClient, file, { signal, onProgress: setShare });
    },
    meta: { invalidates: [] },
  });
  return {
    share,
    isPending,
    data,
    error: error && error.name !== 'AbortError' ? describeError(error) : null,
    cancel: () => controller.current?.abort(),
    send: mutate,
  };
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
