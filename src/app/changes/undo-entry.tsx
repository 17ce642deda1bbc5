import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { JournalEntry } from '../../contract/bff/journal.ts';
import { undoOf } from '../../contract/bff/undo.ts';
import { undoChange } from '../api/changes.ts';
import { usePermission } from '../api/session.ts';
import { useChange } from '../api/use-change.ts';
import { Button } from '../components/button.tsx';
import { ChangeDialog } from './change-dialog.tsx';
import { tellUndone } from './undo.ts';
import { undoSentence } from './undo-kind.ts';

/** The way back from an entry, or why there is none; nothing for what was never done. */
export function UndoEntry({ entry }: { entry: JournalEntry }) {
  const [asking, setAsking] = useState(false);
  const undo = undoOf(entry);
  const general = usePermission('undoChange');
  const own = usePermission(undo.operation ?? 'undoChange');
  if (entry.outcome !== 'done') return null;
  const reason = undo.operation === null ? undoSentence(undo) : (general.reason ?? own.reason);
  return (
    <>
      <Button look="quiet" small reason={reason} onClick={() => setAsking(true)}>
        Undo
      </Button>
      {asking && <UndoDialog entry={entry} onClose={() => setAsking(false)} />}
    </>
  );
}

function UndoDialog({ entry, onClose }: { entry: JournalEntry; onClose: () => void }) {
  const cache = useQueryClient();
  const undo = undoOf(entry);
  const change = useChange(undoChange, {
    onSuccess: ({ data }) => {
      onClose();
      tellUndone(cache, entry, data);
    },
  });
  return (
    <ChangeDialog
      title="Undo this change?"
      action="Undo"
      busyAction="Undoing…"
      look={undo.operation === 'deleteSubscriber' ? 'danger' : 'primary'}
      done="it was undone"
      change={change}
      onConfirm={(reason) => change.mutate({ id: entry.id, reason })}
      onClose={onClose}
    >
      <p>
        <strong>{entry.username}</strong>: {undo.sentence}
      </p>
    </ChangeDialog>
  );
}
