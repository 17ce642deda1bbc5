import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { staffQuery } from '../api/queries.ts';
import { usePermission } from '../api/session.ts';
import { Button } from '../ui/button.tsx';
import { grouped } from '../ui/count.ts';
import { Failure } from '../ui/failure.tsx';
import { Icon } from '../ui/icon.tsx';
import { Notice } from '../ui/notice.tsx';
import { AddDialog } from './add-dialog.tsx';
import { StaffTable } from './staff-table.tsx';
import styles from './staff-page.module.css';

/** Who can sign in to the desk, and as what. */
export function StaffPage() {
  const { allowed, reason } = usePermission('listStaff');
  const staff = useQuery({ ...staffQuery, enabled: allowed });
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <div className={styles.screen}>
      <title>Staff · Subscriber Desk</title>
      <div className={styles.head}>
        <h1 ref={heading} tabIndex={-1}>
          Staff <span className={styles.count}>{staff.data && grouped(staff.data.length)}</span>
        </h1>
        {allowed && <AddStaff />}
      </div>
      {reason && <Notice tone="warn">{reason}</Notice>}
      {staff.isError && (
        <Failure
          what={staff.data ? 'The accounts could not be refreshed' : 'The accounts could not be loaded'}
          error={staff.error}
          busy={staff.isFetching}
          onRetry={() => void staff.refetch()}
        />
      )}
      {!reason && (staff.data || !staff.isError) && <StaffTable staff={staff.data} />}
    </div>
  );
}

function AddStaff() {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button look="primary" onClick={() => setAsking(true)}>
        <Icon name="plus" />
        Add staff
      </Button>
      {asking && <AddDialog onClose={() => setAsking(false)} />}
    </>
  );
}
