import { useMutation } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { usePermission } from '../api/session.ts';
import { counted } from '../components/count.ts';
import { Field, inputClass } from '../components/field.tsx';
import { Notice } from '../components/notice.tsx';
import { PageHeading } from '../components/page.tsx';
import layout from '../components/page.module.css';
import { ImportForm } from './import-form.tsx';
import { FileProblem } from './file-problem.ts';
import { summarizeFile } from './read-file.ts';
import jobStyles from './jobs.module.css';
import styles from './import-page.module.css';

/** Choosing a file, and saying how it is read. Then it is sent, and the job's page shows what it would change. */
export function ImportPage() {
  const { allowed, reason } = usePermission('runJobs');
  const [isSending, setSending] = useState(false);
  const [count, setCount] = useState(0);
  const read = useMutation({
    mutationFn: async ([file, ...others]: readonly File[]) => {
      if (!file || others.length > 0)
        throw new FileProblem(`You dropped ${counted(others.length + 1, 'file')}. Drop one at a time.`);
      return { file, summary: await summarizeFile(file) };
    },
    meta: { invalidates: [] },
    onSuccess: () => setCount(count + 1),
  });
  const choose = (files: Iterable<File>) => {
    const chosen = [...files];
    if (allowed && chosen.length > 0 && !isSending) read.mutate(chosen);
  };
  useDroppedFiles(choose);
  return (
    <div className={layout.screen}>
      <title>Import subscribers · Subscriber Desk</title>
      <div className={layout.head}>
        <PageHeading>Import subscribers</PageHeading>
      </div>
      {reason && <Notice tone="warn">{reason}</Notice>}
      {allowed && (
        <>
          <ChooseFile busy={isSending} onChoose={choose}>
            <p role="status">
              {read.isPending && 'Reading the file…'}
              {read.data && !read.isPending && (
                <>
                  <strong>{read.data.file.name}</strong>: {counted(read.data.summary.rows, 'row')},{' '}
                  {counted(read.data.summary.headings.length, 'column')}
                </>
              )}
            </p>
            <div role="alert">
              {read.error && (
                <Notice tone="bad">
                  {read.error instanceof FileProblem ? read.error.message : 'This file can’t be read.'}
                </Notice>
              )}
            </div>
          </ChooseFile>
          {read.data && !read.isPending && (
            <ImportForm key={count} {...read.data} isSending={isSending} onSending={setSending} />
          )}
        </>
      )}
    </div>
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

/** A field for a file. */
function ChooseFile(props: {
  busy: boolean;
  onChoose: (files: Iterable<File>) => void;
  /** What became of it. */
  children: ReactNode;
}) {
  const { busy, onChoose } = props;
  return (
    <div className={jobStyles.panel}>
      <Field
        label="File"
        hint="CSV, whose first row names the columns, or JSON lines, as in an export. In UTF-8 or UTF-16, at most 50 MB and 100,000 rows. You can also drop the file on this page."
      >
        {(parts) => (
          <input
            {...parts}
            type="file"
            accept=".csv,.tsv,.txt,.jsonl,.ndjson,text/csv,text/tab-separated-values,text/plain,application/jsonl,application/x-ndjson"
            className={`${inputClass} ${styles.narrow}`}
            disabled={busy}
            onChange={(event) => onChoose(event.target.files ?? [])}
            // The same file can be chosen again after it was corrected.
            onClick={(event) => {
              event.currentTarget.value = '';
            }}
          />
        )}
      </Field>
      {props.children}
    </div>
  );
}
