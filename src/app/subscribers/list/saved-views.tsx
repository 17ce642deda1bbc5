import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { View } from '../../../contract/bff/view.ts';
import { Button } from '../../components/button.tsx';
import { useInSight } from '../../components/use-in-sight.ts';
import { readAddress, toAddress, withFilter } from '../address.ts';
import { ManageViewsDialog } from './manage-views-dialog.tsx';
import { SaveViewDialog } from './save-view-dialog.tsx';
import { isView } from './saved-address.ts';
import { useListAddress } from './use-list-address.ts';
import { ViewCount } from './view-count.tsx';
import styles from './views.module.css';

/** One's own views, and the ways to keep the present list as one more and to look after them. */
export function SavedViews(props: { views: readonly View[]; ready: boolean; isSavable: boolean }) {
  const { views, ready, isSavable } = props;
  const { address } = useListAddress();
  const [open, setOpen] = useState<'save' | 'manage'>();
  const close = () => setOpen(undefined);
  return (
    <>
      {views.map((view) => (
        <SavedView key={view.id} view={view} ready={ready} isPresent={isView(view, address)} />
      ))}
      <div className={styles.tools}>
        {isSavable && (
          <Button small look="quiet" onClick={() => setOpen('save')}>
            Save view
          </Button>
        )}
        {views.length > 0 && (
          <Button small look="quiet" onClick={() => setOpen('manage')}>
            Manage views
          </Button>
        )}
      </div>
      {open === 'save' && <SaveViewDialog address={address} onClose={close} />}
      {open === 'manage' && <ManageViewsDialog views={views} onClose={close} />}
    </>
  );
}

/** Its number is asked for only where it can be seen: there may be fifty of them, scrolled out of sight. */
function SavedView({ view, ready, isPresent }: { view: View; ready: boolean; isPresent: boolean }) {
  const { address } = useListAddress();
  const [ref, inSight] = useInSight(0);
  const there = toAddress(view.query);
  return (
    <Link
      ref={ref}
      to="/subscribers"
      search={readAddress({ ...there, pageSize: address.pageSize })}
      activeOptions={{ exact: true }}
      aria-current={isPresent ? 'page' : undefined}
      resetScroll={false}
      className={styles.view ?? ''}
    >
      {view.name}
      <ViewCount filter={withFilter(there, { sort: undefined })} ready={ready && inSight} />
    </Link>
  );
}
