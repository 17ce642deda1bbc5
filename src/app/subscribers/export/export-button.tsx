import { useState } from 'react';
import type { ViewQuery } from '../../../contract/bff/view.ts';
import { usePermission } from '../../api/session.ts';
import { useCommands } from '../../components/app-context.ts';
import { Button } from '../../components/button.tsx';
import { KeyHint } from '../../components/key.tsx';
import { useShortcuts } from '../../components/shortcuts.ts';
import { useLazyModule } from '../../components/use-lazy-module.ts';

/** Opens the export of the list, for users who may take it away as a file. */
export function ExportButton(list: {
  query: ViewQuery;
  count: number | undefined;
  shown: readonly string[];
}) {
  const { allowed } = usePermission('exportSubscribers');
  const [isOpen, setOpen] = useState(false);
  const parts = useLazyModule(
    () => import('./export-dialog.tsx'),
    isOpen,
    () => setOpen(false),
  );
  const open = () => allowed && setOpen(true);
  useShortcuts({ export: open });
  useCommands([allowed && { name: 'Export subscribers', about: 'List', run: open }]);
  if (!allowed) return null;
  return (
    <>
      <Button data-opening={(isOpen && !parts) || undefined} onClick={open}>
        Export…
        <KeyHint of="export" />
      </Button>
      {isOpen && parts && <parts.ExportDialog {...list} onClose={() => setOpen(false)} />}
    </>
  );
}
