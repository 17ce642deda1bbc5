import * as z from 'zod/mini';
import type { QueryClient } from '@tanstack/react-query';
import { exportFields, exportFormats, type ExportFormat } from '../../contract/bff/export-format.ts';
import type { ViewQuery } from '../../contract/bff/view.ts';
import { fieldLabels } from '../../contract/service/subscriber-input.ts';
import type { Status } from '../../contract/service/subscriber.ts';
import { useViews } from '../api/queries.ts';
import { useAction } from '../api/use-action.ts';
import { usePermission } from '../api/session.ts';
import { useTransfer, describeCut, wholeFile, type Transfer, csvType, saveBlob } from '../api/files.tsx';
import { ReasonField } from '../subscriber/change-dialog.tsx';
import { useApp } from '../components/app-context.ts';
import { CheckBox, RadioGroup } from '../components/field.tsx';
import { counted } from '../components/format.ts';
import { localDay } from '../components/exact-time.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { ProgressBar } from '../components/progress-bar.tsx';
import { usePreference } from '../components/preference.ts';
import { browserZone } from '../subscriber/extensions.ts';
import { useBundles } from '../subscriber/bundles.ts';
import { filterWords } from '../subscriber/filter-words.ts';
import { listWords } from '../subscriber/subscriber-fields.ts';
import { hiddenColumns, isView, toAddress } from '../subscriber/list-address.ts';
import { useStatuses } from '../subscriber/status-badge.tsx';
import type { ExportQuery } from '../../contract/bff/export-query.ts';
import { changeHeaders, writeReason } from '../../contract/http/change-headers.ts';
import { clientOf } from '../api/client.ts';

interface ExportDialogProps {
  /** The filters and the order of the list. */
  query: ViewQuery;
  /** Number of subscribers in the list; undefined until it is loaded. */
  count: number | undefined;
  onClose: () => void;
}

const exportSchema = z.object({
  columns: z.enum(['all', 'shown', 'chosen']),
  fields: z.array(z.enum(exportFields)),
  isStored: z.boolean(),
  format: z.enum(exportFormats),
  zone: z.string(),
  lists: z.boolean(),
  bundleNames: z.boolean(),
  tokens: z.boolean(),
  reason: z.string().check(z.trim()),
});

/** Asks for columns, format and times, and saves all subscribers of the list as a file. */
export function ExportDialog({ query, count, onClose }: ExportDialogProps) {
  const { queryClient, toasts } = useApp();
  const zones = [...new Set([browserZone(), 'UTC'])].map((zone) => ({ value: zone, label: zone }));
  const canSeeTokens = usePermission('seeAccessToken').allowed;
  const canShareViews = usePermission('shareViews').allowed;
  const address = toAddress(query);
  const view = useViews()?.find((one) => isView(one, address));
  const storing = useAction('changeView', { done: 'the columns were saved', failures: 'toast' });
  const shown = fieldsShown(usePreference(hiddenColumns).split(' '));
  const statuses = useStatuses();
  const bundles = useBundles();
  const words = filterWords(query, statuses, bundles);
  const { progress, acting, start } = useTransfer<number>({
    onDone(rows) {
      toasts.show('ok', `${counted(rows, 'subscriber')} exported.`);
      onClose();
    },
  });
  return (
    <FormDialog
      title={count === undefined ? 'Export subscribers' : `Export ${counted(count, 'subscriber')}`}
      action="Export"
      busyAction="Exporting…"
      schema={exportSchema}
      values={{
        columns: view?.exported === undefined ? 'all' : 'chosen',
        fields: exportFields.filter((field) => view?.exported?.split(' ').includes(field) ?? true),
        isStored: false,
        format: 'csv',
        zone: browserZone(),
        lists: false,
        bundleNames: false,
        tokens: false,
        reason: '',
      }}
      acting={acting}
      canClose
      reasonFor={({ columns, fields, tokens, reason }) => {
        if (columns === 'chosen' && fields.length === 0) return 'Choose at least one column.';
        return tokens && reason.trim() === '' ? 'Say why you need the access tokens.' : undefined;
      }}
      onSubmit={({ reason, columns, fields, isStored, ...chosen }) => {
        const exported = { all: exportFields, shown, chosen: fields }[columns];
        if (view && isStored && columns === 'chosen')
          void storing.run({ params: { id: view.id }, body: { exported: fields.join(' ') } });
        const name = `${nameOfFile(query, statuses)}-${localDay(Date.now())}.${chosen.format}`;
        const requested = { ...query, ...chosen, columns: [...exported] };
        start((download) => saveSubscribers(queryClient, requested, { ...download, name, reason }));
      }}
      onClose={onClose}
    >
      {(form, bind) => (
        <>
          <p>{words.length > 0 ? `Filters: ${listWords(words)}.` : 'All subscribers, without a filter.'}</p>
          {progress ? (
            <ProgressBar
              label="Subscribers exported"
              done={progress.done}
              of={progress.of && Math.max(progress.of, progress.done)}
            />
          ) : (
            <>
              <RadioGroup label="Columns" inline options={columnChoices} {...bind('columns')} />
              {bind('columns').value === 'chosen' && (
                <fieldset className="row">
                  <legend>Columns of the file</legend>
                  {exportFields.map((field) => (
                    <CheckBox key={field} value={field} {...form.register('fields')}>
                      {exportLabels[field]}
                    </CheckBox>
                  ))}
                </fieldset>
              )}
              {bind('columns').value === 'chosen' && view && (canShareViews || !view.shared) && (
                <CheckBox {...form.register('isStored')}>Save these columns with view “{view.name}”</CheckBox>
              )}
              <RadioGroup label="Format" inline options={formats} {...bind('format')} />
              {zones.length > 1 && <RadioGroup label="Times in" inline options={zones} {...bind('zone')} />}
              <CheckBox {...form.register('lists')}>
                Add bundles, IP addresses, user agents and countries (slower)
              </CheckBox>
              {bind('lists').value && bundles.length > 0 && (
                <CheckBox {...form.register('bundleNames')}>
                  Write the names of bundles instead of their numbers
                </CheckBox>
              )}
              {canSeeTokens && <CheckBox {...form.register('tokens')}>Add access tokens</CheckBox>}
              <ReasonField for="export" required={bind('tokens').value} {...bind('reason')} />
            </>
          )}
        </>
      )}
    </FormDialog>
  );
}

const columnChoices = [
  { value: 'all', label: 'All' },
  { value: 'shown', label: 'As in the table' },
  { value: 'chosen', label: 'Choose' },
] as const;

const formats = [
  { value: 'csv', label: 'CSV, for spreadsheets' },
  { value: 'jsonl', label: 'JSON lines' },
] as const;

/** The fields behind the columns of the table; the username is always shown, and the version keeps old files from overwriting. */
function fieldsShown(hidden: readonly string[]): (typeof exportFields)[number][] {
  const names = Object.keys(fieldsBehind).filter((name) => !hidden.includes(name));
  const shown = new Set(['username', 'version', ...names.flatMap((name) => fieldsBehind[name] ?? [])]);
  return exportFields.filter((field) => shown.has(field));
}

const fieldsBehind: Readonly<Record<string, readonly (typeof exportFields)[number][]>> = {
  email: ['email'],
  status: ['status'],
  expires: ['expiresAt'],
  plan: ['isTrial'],
  connections: ['maxConnections'],
  formats: ['hls', 'mpegTs'],
};

const exportLabels = { id: 'ID', status: 'Status', version: 'Version', ...fieldLabels, accessToken: '' };

/** Names a file by the filters, without the text that was searched for: it may be a person's name. */
function nameOfFile(
  { Username, Email, IpAddress, UserAgent, Note, ...query }: ViewQuery,
  statuses: readonly Status[] | undefined,
): string {
  const isSearch = (Username ?? Email ?? IpAddress ?? UserAgent ?? Note) !== undefined;
  const words = ['subscribers', ...filterWords(query, statuses), isSearch && 'search'].filter(Boolean);
  return words
    .join('-')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-');
}

/** Functions of browsers with the File System Access API, which the types of the DOM lack. */
interface FileHandle {
  getFile: () => Promise<File>;
  createWritable: () => Promise<WritableStream<Uint8Array<ArrayBuffer>>>;
  remove?: () => Promise<void>;
}
type ShowSavePicker = (options: { suggestedName: string }) => Promise<FileHandle>;

const types: Readonly<Record<ExportFormat, string>> = { csv: csvType, jsonl: 'application/jsonl' };

/**
 * Saves an export as a file: where the browser can, as the one that the person chooses; elsewhere the browser keeps it until it
 * is whole, and then downloads it. If its end does not come, nothing is saved. Call it in the handler of a click.
 *
 * @returns how many subscribers it has; null if the person chose no file
 * @throws {ApiError}, or the `AbortError` of the signal
 */
async function saveSubscribers(
  cache: QueryClient,
  query: ExportQuery & { format: ExportFormat },
  { name, reason, ...download }: Transfer & { name: string; reason: string },
): Promise<number | null> {
  const show = (window as { showSaveFilePicker?: ShowSavePicker }).showSaveFilePicker;
  const handle = show && (await show.call(window, { suggestedName: name }).catch(ignoreCancel));
  if (handle === null) return null;
  // It writes to another file, which takes the place of this one when it is closed.
  const file = (await handle?.createWritable()) ?? keepInBrowser(name, types[query.format]);
  let rows = 0;
  const onProgress: Transfer['onProgress'] = (progress) => {
    rows = progress.done;
    download.onProgress(progress);
  };
  try {
    const headers = reason === '' ? {} : { [changeHeaders.reason]: writeReason(reason) };
    const { signal } = download;
    const counted = { ...query, counted: true };
    const { data } = await clientOf(cache).exportSubscribers({ query: counted }, { signal, headers });
    await wholeFile(data, query.format, { signal, onProgress }).pipeTo(file);
    return rows;
  } catch (error) {
    await file.abort().catch(() => undefined);
    // A new file is there already, without anything in it.
    if (handle && (await handle.getFile()).size === 0) await handle.remove?.();
    throw describeCut(error, download);
  }
}

/** Browsers move blobs to the disk. */
function keepInBrowser(name: string, type: string): WritableStream<Uint8Array<ArrayBuffer>> {
  const blobs: Blob[] = [];
  return new WritableStream({
    write: (bytes) => void blobs.push(new Blob([bytes])),
    close: () => saveBlob(name, new Blob(blobs, { type })),
  });
}

function ignoreCancel(error: unknown): null {
  if (error instanceof DOMException && error.name === 'AbortError') return null;
  throw error;
}
