import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import { toCsv } from '../../contract/bff/csv.ts';
import type { Job } from '../../contract/bff/job.ts';
import { placeholdersIn } from '../../contract/bff/message.ts';
import { clientOf } from '../api/client.ts';
import { usePermission } from '../api/session.ts';
import { readLines, useTransfer, type Transfer, csvType, saveFile } from '../api/files.tsx';
import { useApp } from '../components/app-context.ts';
import { Button } from '../components/button.tsx';
import { counted } from '../components/format.ts';
import { localDay } from '../components/exact-time.tsx';
import { InputField } from '../components/field.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { bundlesQuery } from '../subscriber/bundles.ts';
import {
  hasAllIn,
  languageName,
  messagesQuery,
  messageText,
  needsToken,
} from '../subscriber/message-text.ts';

/** A button for a file with a message for each subscriber that a job has changed. */
export function SaveMessages({ job }: { job: Job }) {
  const [isOpen, setOpen] = useState(false);
  const { allowed } = usePermission('exportSubscribers');
  if (!allowed || job.kind === 'delete' || job.counts.done === 0) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>Save messages…</Button>
      {isOpen && <MessagesDialog job={job} onClose={() => setOpen(false)} />}
    </>
  );
}

const schema = z.object({ message: z.string() });

/** A line of the export that the file is made of. */
const Line = z.object({
  username: z.string(),
  email: z.string(),
  expiresAt: z.string(),
  bundles: z.optional(z.array(z.number())),
});

function MessagesDialog({ job, onClose }: { job: Job; onClose: () => void }) {
  const { queryClient, toasts } = useApp();
  const messages = useQuery(messagesQuery);
  const all = (messages.data ?? []).filter(({ text }) => !needsToken(text));
  const rank = ({ occasion }: (typeof all)[number]) =>
    [job.kind === 'extend' && 'extended', 'general', occasion].indexOf(occasion);
  const options = all.toSorted((one, other) => rank(one) - rank(other) || (one.name < other.name ? -1 : 1));
  const chosenOf = (id: string) => options.find((one) => one.id === id) ?? options[0];
  const { done } = job.counts;
  const { acting, start } = useTransfer<number>({
    onDone(rows) {
      const rest = done - rows;
      const saved = `${counted(rows, 'message')} saved.`;
      const without = `${counted(rest, 'subscriber')} got none: deleted, or without what the message names.`;
      toasts.show('ok', rest > 0 ? `${saved} ${without}` : saved);
      onClose();
    },
  });
  const save = async (message: (typeof options)[number], download: Transfer) => {
    const namesBundles = placeholdersIn(message.text).includes('bundles');
    const { data } = await clientOf(queryClient).exportSubscribers(
      {
        query: {
          job: job.id,
          columns: ['username', 'email', 'expiresAt'],
          lists: namesBundles,
          format: 'jsonl',
          counted: true,
        },
      },
      { signal: download.signal },
    );
    const people = await readLines(data, Line, download);
    const { bundles } = namesBundles ? await queryClient.ensureQueryData(bundlesQuery) : { bundles: [] };
    const rows = people
      .filter((one) => hasAllIn(message.text, one))
      .map((one) => [one.email, one.username, messageText(message, one, bundles)]);
    saveFile(
      `messages-${localDay(Date.now())}.csv`,
      csvType,
      toCsv([['email', 'username', 'message'], ...rows]),
    );
    return rows.length;
  };
  return (
    <FormDialog
      title={`Messages for ${counted(done, 'subscriber')}`}
      action="Save"
      busyAction="Saving…"
      schema={schema}
      values={{ message: '' }}
      acting={acting}
      canClose
      reasonFor={() => (options.length > 0 ? undefined : 'There is no message without the token.')}
      onSubmit={({ message }) => {
        const chosen = chosenOf(message);
        if (chosen) start((download) => save(chosen, download));
      }}
      onClose={onClose}
    >
      {(form, bind) => {
        const chosen = chosenOf(bind('message').value);
        return (
          <>
            <p>
              Saves a CSV file with the email, the username and the message of each, for a program that sends
              email. Nothing is sent from here.
            </p>
            <InputField
              form={form}
              name="message"
              label="Message"
              hint="Those with the access token or the playlist URL can’t be saved."
              options={options.map(({ id, name, language }) => ({
                value: id,
                label: `${name} · ${languageName(language)}`,
              }))}
            />
            {chosen && (
              <p className="inset multiline" lang={chosen.language} dir="auto">
                {chosen.text}
              </p>
            )}
          </>
        );
      }}
    </FormDialog>
  );
}
