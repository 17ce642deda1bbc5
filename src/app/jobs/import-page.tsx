import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { usePermission } from '../api/session.ts';
import { counted } from '../components/count.ts';
import { Field, inputClass } from '../components/field.tsx';
import { Notice } from '../components/notice.tsx';
import { PageHeading } from '../components/page-heading.tsx';
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
    mutationFn: async (file: File) => ({ file, summary: await summarizeFile(file) }),
    meta: { invalidates: [] },
    onSuccess: () => setCount(count + 1),
  });
  const choose = (file: File | undefined) => {
    if (file && !isSending) read.mutate(file);
  };
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

/** A field for a file, which can also be dropped here. */
function ChooseFile(props: {
  busy: boolean;
  onChoose: (file: File | undefined) => void;
  /** What became of it. */
  children: ReactNode;
}) {
  const { busy, onChoose } = props;
  return (
    <div
      className={jobStyles.panel}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        onChoose(event.dataTransfer.files[0]);
      }}
    >
      <Field
        label="File"
        hint="CSV, whose first row names the columns, or JSON lines, as in an export. In UTF-8 or UTF-16, at most 50 MB and 100,000 rows. You can also drop the file here."
      >
        {(parts) => (
          <input
            {...parts}
            type="file"
            accept=".csv,.tsv,.txt,.jsonl,.ndjson,text/csv,text/tab-separated-values,text/plain,application/jsonl,application/x-ndjson"
            className={`${inputClass} ${styles.narrow}`}
            disabled={busy}
            onChange={(event) => onChoose(event.target.files?.[0])}
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
