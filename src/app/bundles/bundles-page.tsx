import { useRef, useState } from 'react';
import {
  isSameBundle,
  Bundle,
  type BundleList,
  bundleLimits,
  isSameName,
} from '../../contract/bff/bundle.ts';
import { List, useList, type Column } from '../api/list.tsx';
import { usePermission } from '../api/session.ts';
import { readTextFile, csvType, saveFile } from '../api/files.tsx';
import { undoBy, useAction } from '../api/use-action.ts';
import { useApp, useLeavesFocus } from '../components/app-context.ts';
import { Badge } from '../components/badge.tsx';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { EmptyState, Page } from '../components/page.tsx';
import { bundlesQuery } from '../subscriber/bundles.ts';
import { counted } from '../components/format.ts';
import { BundleDialog, bundleErrors } from './bundle-dialog.tsx';
import styles from './bundles-page.module.css';
import { restoreText, toCsv } from '../../contract/bff/csv.ts';
import { booleanWords } from '../../contract/bff/export-format.ts';

/** The names of bundles, by which staff and callers know them. */
export function BundlesPage() {
  const { allowed: isManager, reason } = usePermission('saveBundles');
  const list = useList({ ...bundlesQuery, refetchOnMount: 'always' });
  const [editing, setEditing] = useState<Bundle | 'new' | null>(null);
  const data = list.data;
  const bundles = data?.bundles;
  const allowed = isManager && !data?.fromService;
  return (
    <Page
      title="Bundles"
      count={bundles?.length}
      aside={
        data && (
          <>
            {data.bundles.length > 0 && (
              <Button onClick={() => saveFile('bundles.csv', csvType, writeBundles(data.bundles))}>
                Export
              </Button>
            )}
            {allowed && <ImportButton list={data} />}
            {allowed && (
              <Button variant="primary" onClick={() => setEditing('new')}>
                <Icon name="plus" />
                Add bundle
              </Button>
            )}
          </>
        )
      }
    >
      <p className="muted">
        {data?.fromService
          ? 'The names come from the subscriber service, where they are changed. '
          : 'The subscriber service knows bundles by number. '}
        Their names are shown wherever a subscriber has one.{' '}
        {!data?.fromService && reason && 'Managers can edit them.'}
      </p>
      {bundles?.length === 0 ? (
        <EmptyState
          title="No bundle has a name yet"
          hint={allowed ? 'Add one, or import a file with a number and a name on each line.' : ''}
        />
      ) : (
        <List
          list={list}
          what="the bundles"
          label="Bundles"
          columns={columnsFor(data, allowed, setEditing)}
          keyOf={({ number }) => number}
          rows={bundles}
          expected={8}
        />
      )}
      {editing && data && (
        <BundleDialog
          bundle={editing === 'new' ? null : editing}
          list={data}
          onClose={() => setEditing(null)}
        />
      )}
    </Page>
  );
}

function columnsFor(
  list: BundleList | undefined,
  allowed: boolean,
  onEdit: (bundle: Bundle) => void,
): Column<Bundle>[] {
  return [
    { label: 'Number', grey: 3, isNumber: true, className: styles.number, cell: ({ number }) => number },
    {
      label: 'Name',
      grey: 12,
      isRowHeading: true,
      cell: ({ name, isSold }) => (
        <>
          {name} {!isSold && <Badge tone="neutral">No longer sold</Badge>}
        </>
      ),
    },
    ...(list && allowed
      ? [
          {
            label: 'Actions',
            isLabelHidden: true,
            cell: (bundle: Bundle) => <Actions bundle={bundle} list={list} onEdit={() => onEdit(bundle)} />,
          } as const,
        ]
      : []),
  ];
}

/** Saves another list in the place of this one. @param past what was done, such as "moved" */
function useSave({ bundles, version }: BundleList, what: string, past: string) {
  const undone = { ...bundleErrors, done: 'the list was as before', toast: 'The bundles are as before.' };
  const saving = useAction('saveBundles', {
    ...bundleErrors,
    done: 'the list was saved',
    failures: 'toast',
    toast: ({ data }) => ({
      text: `${what} is ${past}.`,
      undo: {
        run: undoBy('saveBundles', { body: { bundles: [...bundles], version: data.version } }, undone),
      },
    }),
  });
  return {
    isBusy: saving.isBusy,
    save: (next: Bundle[]) => void saving.run({ body: { bundles: next, version } }),
  };
}

function Actions({ bundle, list, onEdit }: { bundle: Bundle; list: BundleList; onEdit: () => void }) {
  const { number, name } = bundle;
  const { bundles } = list;
  const index = bundles.findIndex((one) => one.number === number);
  const deleting = useSave(list, name, 'removed');
  const moving = useSave(list, name, 'moved');
  const move = (step: -1 | 1) => moving.save(bundles.toSpliced(index, 1).toSpliced(index + step, 0, bundle));
  return (
    <div className={`row ${styles.actions}`}>
      {([-1, 1] as const).map((step) => (
        <Button
          key={step}
          variant="quiet"
          square
          small
          aria-label={`Move ${name} ${step < 0 ? 'up' : 'down'}`}
          disabled={bundles[index + step] === undefined}
          busy={moving.isBusy}
          onClick={() => move(step)}
        >
          <Icon name={step < 0 ? 'ascending' : 'descending'} />
        </Button>
      ))}
      <Button variant="quiet" small aria-label={`Edit ${name}`} onClick={onEdit}>
        Edit
      </Button>
      <Button
        ref={useLeavesFocus()}
        variant="quiet-danger"
        square
        small
        aria-label={`Remove ${name}`}
        title={`Remove ${name}`}
        busy={deleting.isBusy}
        onClick={() => deleting.save(bundles.filter((one) => one !== bundle))}
      >
        <Icon name="close" />
      </Button>
    </div>
  );
}

/** Reads a file into the list. */
function ImportButton({ list }: { list: BundleList }) {
  const { toasts } = useApp();
  const input = useRef<HTMLInputElement>(null);
  const saving = useSave(list, 'The file', 'imported');
  async function read(file: File | undefined): Promise<void> {
    if (!file) return;
    try {
      const next = readBundles(await readTextFile(file), list.bundles);
      const changed = next.filter((bundle) => !list.bundles.some((one) => isSameBundle(one, bundle)));
      if (changed.length === 0)
        toasts.show('ok', `All ${counted(next.length, 'bundle')} are as in the file.`);
      else saving.save(next);
    } catch (error) {
      toasts.show('bad', error instanceof Error ? error.message : 'The file can’t be read.');
    }
  }
  return (
    <>
      <Button busy={saving.isBusy} onClick={() => input.current?.click()}>
        Import…
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept=".csv,.txt,text/csv,text/plain"
        aria-label="File with bundles"
        onChange={({ target }) => {
          void read(target.files?.[0]);
          // The same file can be chosen again.
          target.value = '';
        }}
      />
    </>
  );
}

const headings = ['Number', 'Name', 'Sold'];

/** The names of bundles as a CSV file. */
export const writeBundles = (bundles: readonly Bundle[]): string =>
  toCsv([
    headings,
    ...bundles.map(({ number, name, isSold }) => [String(number), name, isSold ? 'yes' : 'no']),
  ]);

/** One cell at the beginning of a line, in quotes or not, and what separates it from the next. */
const cell = /^(?:"((?:[^"]|"")*)"|([^,;\t]*))(?:[,;\t]|$)/;

function cellsOf(line: string): string[] {
  const cells: string[] = [];
  for (let rest = line; rest !== '' && cells.length < headings.length;) {
    const [whole = rest, quoted, plain = ''] = cell.exec(rest) ?? [];
    cells.push(restoreText(quoted?.replaceAll('""', '"') ?? plain).trim());
    rest = rest.slice(whole.length || rest.length);
  }
  return cells;
}

/**
 * Puts the lines of a file, each a number, a name, and `yes` or `no` where it says if it is sold, into the list: names of
 * numbers that are in it are replaced, the others come to its end. Without a word on that, a bundle is sold or not as before.
 * A first line without a number is a heading.
 *
 * @throws {Error} a sentence about the first line that cannot be used
 */
export function readBundles(file: string, present: readonly Bundle[]): Bundle[] {
  const merged = new Map(present.map((bundle) => [bundle.number, bundle]));
  const seen = new Set<number>();
  const lines = file.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const [number = '', name = '', sold = ''] = cellsOf(line);
    if (index === 0 && !/\d/.test(number)) continue;
    const fail = (reason: string): never => {
      throw new Error(`Line ${index + 1}: ${reason} Nothing was imported.`);
    };
    const before = merged.get(Number(number))?.isSold ?? true;
    const read = Bundle.safeParse({
      number: /^\d{1,15}$/.test(number) ? Number(number) : Number.NaN,
      name,
      isSold:
        sold === ''
          ? before
          : (booleanWords.get(sold.toLowerCase()) ?? fail('Enter yes or no behind the name.')),
    });
    if (!read.success) return fail(read.error.issues[0]?.message ?? 'This can’t be used.');
    if (seen.has(read.data.number)) fail(`Bundle ${number} is in the file twice.`);
    seen.add(read.data.number);
    merged.set(read.data.number, read.data);
    const other = [...merged.values()].find(
      (one) => one.number !== read.data.number && isSameName(one.name, name),
    );
    if (other && (seen.has(other.number) || !lines.some((text) => cellsOf(text)[0] === String(other.number))))
      fail(`Bundle ${other.number} is called “${other.name}”, too.`);
  }
  if (seen.size === 0) throw new Error('The file has no bundle. Each line needs a number and a name.');
  if (merged.size > bundleLimits.bundles)
    throw new Error(`That would be ${merged.size} bundles; there can be ${bundleLimits.bundles}.`);
  return [...merged.values()];
}
